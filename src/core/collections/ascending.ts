/** Compares items by a number, the lowest first. */
export const ascending =
	<Item>(numberOf: (item: Item) => number) =>
	(a: Item, b: Item) =>
		numberOf(a) - numberOf(b);
