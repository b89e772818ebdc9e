"""ANNA: routes, zones of attention, assistants and their messages."""
