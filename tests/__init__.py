"""The tests, a package: another package of this name may be installed beside them."""
