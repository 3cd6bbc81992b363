/** JSON's functions for numbers that a double cannot represent; TypeScript does not know them yet. */
type ExactJson = {
	parse(text: string, revive: (key: string, value: unknown, context: {source?: string}) => unknown): unknown;
	rawJSON(text: string): unknown;
};

const exact = JSON as unknown as ExactJson;

/** Parses JSON, and keeps the text of integers above 2^53, such as memory that wrapped around 2^64. */
export function parseExactly(text: string): unknown {
	return exact.parse(text, (_, value, {source}) =>
		typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
			? exact.rawJSON(source ?? String(value))
			: value,
	);
}

/** What fits into this width is written on one line. */
const lineWidth = 160;

const places: Readonly<Record<string, number>> = {
	...{format: 1, at: 1, source: 2, kind: 2, name: 3, pod: 3, description: 4, signal: 4, tags: 5, config: 6},
	...{scenario: 10, determinism: 11, trace: 12, passes: 13, debug: 14, variants: 15},
};
const usualPlace = 8;

/** A kubelet vector's text: short values on one line, others indented, and the identifying keys first. */
export const kubeletVectorText = (vector: unknown) => `${write(vector, 0)}\n`;

function write(value: unknown, depth: number): string {
	const line = onOneLine(value);
	if (line.length + depth * 2 <= lineWidth) return line;
	if (Array.isArray(value)) {
		if (typeof value[0] === 'number') return line;
		return block(
			'[',
			value.map((item) => write(item, depth + 1)),
			']',
			depth,
		);
	}
	if (!isObject(value)) return line;
	const fields = Object.entries(value).toSorted(
		([a], [b]) => (places[a] ?? usualPlace) - (places[b] ?? usualPlace) || (a < b ? -1 : 1),
	);
	return block(
		'{',
		fields.map(([key, item]) => `${JSON.stringify(key)}: ${write(item, depth + 1)}`),
		'}',
		depth,
	);
}

const block = (open: string, parts: readonly string[], close: string, depth: number) =>
	`${open}\n${parts.map((part) => '  '.repeat(depth + 1) + part).join(',\n')}\n${'  '.repeat(depth)}${close}`;

function onOneLine(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(onOneLine).join(',')}]`;
	if (!isObject(value)) return JSON.stringify(value);
	const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
	return `{${fields.map(([key, item]) => `${JSON.stringify(key)}:${onOneLine(item)}`).join(',')}}`;
}

/** A number that is kept as text is an object without a prototype. */
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null && Object.getPrototypeOf(value) !== null;
