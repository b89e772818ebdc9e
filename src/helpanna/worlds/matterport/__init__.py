"""Real buildings: Matterport3D and what others published about it, from their publishers' files."""

SOURCE = "Matterport3D"
"""How the source of atlases that are imported from it begins (`Atlas.source`)."""
