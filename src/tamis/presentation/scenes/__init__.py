"""Pictures: each is made once, as a scene, and drawn by `svg` and by matplotlib (`figure`)."""
