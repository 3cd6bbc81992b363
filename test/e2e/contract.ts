// The plugin's JSON as its users read it: declared here again instead of imported, because it is a contract.

/** A range in milliseconds since the epoch; `latest` is null without an upper bound. */
export type Range = {readonly earliest: number; readonly expected: number; readonly latest: number | null};

export type PodForecast = {
	readonly observedAt: number;
	/** `namespace/name`. */
	readonly pod: string;
	readonly verdict: string;
	readonly eviction: Range | null;
};

export type NodeForecast = {
	readonly observedAt: number;
	readonly node: string;
	readonly verdict: string;
	readonly unknown: Range | null;
	readonly noExecute: Range | null;
};

type JsonRange = {
	readonly earliest: string;
	readonly expected: string;
	readonly latest: string | null;
} | null;

export type JsonItem = {
	readonly kind: string;
	readonly metadata: {readonly namespace?: string; readonly name: string};
	readonly verdict: string;
	readonly eviction?: JsonRange;
	readonly unknown?: JsonRange;
	readonly noExecute?: JsonRange;
};

type JsonList = {
	readonly apiVersion: string;
	readonly kind: string;
	readonly metadata: {readonly observedAt: string};
	readonly items: readonly JsonItem[];
};

/** Parses a list and its observation time. @throws Error if it is of another kind */
export function readList(json: string, kind: string): {observedAt: number; items: readonly JsonItem[]} {
	const list = JSON.parse(json) as JsonList;
	if (list.apiVersion !== 'evictwatch.dev/v1' || list.kind !== kind) {
		throw new Error(`answered ${list.apiVersion} ${list.kind}`);
	}
	return {observedAt: readInstant(list.metadata.observedAt), items: list.items};
}

export function readPod({metadata, verdict, eviction}: JsonItem, observedAt: number): PodForecast {
	const pod = `${metadata.namespace}/${metadata.name}`;
	return {observedAt, pod, verdict, eviction: readRange(eviction)};
}

export function readNode(
	{metadata, verdict, unknown, noExecute}: JsonItem,
	observedAt: number,
): NodeForecast {
	const ranges = {unknown: readRange(unknown), noExecute: readRange(noExecute)};
	return {observedAt, node: metadata.name, verdict, ...ranges};
}

function readRange(range: JsonRange | undefined): Range | null {
	if (range === null) return null;
	if (range === undefined) throw new Error('a range is missing; null would be none');
	const read = {
		earliest: readInstant(range.earliest),
		expected: readInstant(range.expected),
		latest: range.latest === null ? null : readInstant(range.latest),
	};
	if (read.earliest > read.expected || read.expected > (read.latest ?? Number.POSITIVE_INFINITY)) {
		throw new Error(`a range out of order: ${JSON.stringify(range)}`);
	}
	return read;
}

function readInstant(text: string): number {
	if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) throw new Error(`not an instant: ${text}`);
	return Date.parse(text);
}
