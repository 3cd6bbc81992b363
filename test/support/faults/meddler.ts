import type {IncomingHttpHeaders} from 'node:http';

/** A request as the proxy saw it. */
export type Asked = {
	readonly url: URL;
	/** `nodes`, `leases`, `pods`, `events`, or `''` for anything else. */
	readonly resource: string;
	readonly isWatch: boolean;
	readonly at: number;
	readonly headers: IncomingHttpHeaders;
};

/** An answer that is sent in the server's place. */
type Canned = {
	readonly status: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string;
};

export type RawList = {readonly items: readonly unknown[] | null; readonly [field: string]: unknown};

/** What is done to a request and to its answer. */
export type Meddler = {
	readonly matches: (asked: Asked) => boolean;
	/** Delays the request until it resolves. */
	readonly until?: Promise<void>;
	readonly answer?: (asked: Asked) => Canned;
	/** Changes the request's URL. */
	readonly url?: (url: URL) => void;
	readonly date?: (date: string) => string;
	readonly list?: (list: RawList) => unknown;
	/** Changes a line of a watch into other lines. */
	readonly event?: (line: string) => readonly string[];
	/** Whether the lines are sent without their ends. */
	readonly isUnended?: boolean;
	/** Only this many bytes of the body are sent; then the connection is cut, or the answer ends as if it were complete. */
	readonly truncate?: {readonly bytes: number; readonly isCut: boolean};
};

/** The Status object of a refusal. */
export const refusal = (
	code: number,
	reason: string,
	headers: Readonly<Record<string, string>> = {},
): Canned => ({
	status: code,
	headers,
	body: JSON.stringify({kind: 'Status', apiVersion: 'v1', status: 'Failure', message: reason, reason, code}),
});

/** Matches the first `count` requests that are meant; the others pass. */
export function firstOf(count: number, matches: (asked: Asked) => boolean): (asked: Asked) => boolean {
	let left = count;
	return (asked) => {
		if (left === 0 || !matches(asked)) return false;
		left -= 1;
		return true;
	};
}
