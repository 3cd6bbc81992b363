/** Compares for sorting, smallest first: text by code units as Go does, in every locale; numbers may be infinite. */
export const compareValues = <T extends string | number | bigint>(a: T, b: T): -1 | 0 | 1 =>
	a < b ? -1 : a > b ? 1 : 0;
