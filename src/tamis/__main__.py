"""`python -m tamis`: the command, where the script itself is not on the path."""

from tamis.cli import main

if __name__ == "__main__":
    main()
