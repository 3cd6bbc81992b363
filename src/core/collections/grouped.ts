/** Items by a key, each group in the order in which its first came; no group is empty. */
export const grouped = <Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key) =>
	[...Map.groupBy(items, keyOf)] as [key: Key, items: [Item, ...Item[]]][];
