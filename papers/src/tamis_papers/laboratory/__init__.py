"""What every experiment needs: tables, cells that resume, columns in order."""
