"""Words for a walk: facts of a path, narrators, and what they may claim."""
