/** For sorting, the least first: text by code units, as Go does, the same in every locale; numbers also where they are infinite. */
export const compareValues = <T extends string | number | bigint>(a: T, b: T): -1 | 0 | 1 =>
	a < b ? -1 : a > b ? 1 : 0;
