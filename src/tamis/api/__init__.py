"""The front doors: one module for each public function."""
