// The tolerances of numerics/tolerances.py that the page needs.
export const ROUNDING = 64 * 2 ** -52; // of a product of two columns, relative to their lengths
export const RANK_TOL = 1e-10; // what is left of a column's own variance and counts as nothing
export const TIE = 1e-9; // scores so near to each other are equal
