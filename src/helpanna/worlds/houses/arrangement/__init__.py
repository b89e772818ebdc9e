"""Where things stand in rooms: the space of a room, and the habits of each kind of room."""
