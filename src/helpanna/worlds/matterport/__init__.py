"""Real buildings: Matterport3D and what others published about it, from their publishers' files."""
