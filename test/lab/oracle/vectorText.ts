/** A vector's text, with one line for each action, sample, node, pod and step, for readable diffs. */
export function traceVectorText(vector: Readonly<Record<string, unknown>>): string {
	const {scenario, trace, zones, snapshots, ...head} = vector;
	return block(
		[
			...Object.entries(head).map(([key, value]) => field(key, compact(value))),
			field('scenario', block(Object.entries(Object(scenario)).toSorted(byKey).map(lines(2)), 1)),
			...Object.entries({trace, zones, snapshots}).flatMap(([key, value]) =>
				value === undefined ? [] : [lines(1)([key, value])],
			),
		],
		0,
	).concat('\n');
}

const lines =
	(depth: number) =>
	([key, value]: [string, unknown]) =>
		field(key, Array.isArray(value) && value.length > 0 ? list(value.map(compact), depth) : compact(value));

const field = (key: string, text: string) => `${JSON.stringify(key)}: ${text}`;

const block = (fields: readonly string[], depth: number) => indented('{', fields, '}', depth);
const list = (items: readonly string[], depth: number) => indented('[', items, ']', depth);

const indented = (open: string, parts: readonly string[], close: string, depth: number) =>
	`${open}\n${parts.map((part) => ' '.repeat(depth + 1) + part).join(',\n')}\n${' '.repeat(depth)}${close}`;

/** JSON on one line with sorted keys. */
export function compact(value: unknown): string {
	return JSON.stringify(value, (_, part) =>
		part !== null && typeof part === 'object' && !Array.isArray(part)
			? Object.fromEntries(Object.entries(part).toSorted(byKey))
			: part,
	);
}

const byKey = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : a > b ? 1 : 0);
