"""What a picture shows, described once; `charts` (SVG) and `plots` (matplotlib) draw it."""
