"""The functions of tamis as tools for programs that talk, over the Model Context Protocol."""
