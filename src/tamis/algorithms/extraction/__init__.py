"""Methods that compute components."""
