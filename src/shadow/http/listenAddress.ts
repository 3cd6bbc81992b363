/** Where a server listens: on all addresses where no host is named. */
export type ListenAddress = {readonly host: string | undefined; readonly port: number};

/** Reads `HOST:PORT`, `:PORT` or `[IPv6]:PORT`; undefined where the text is none of them. */
export function parseListenAddress(text: string): ListenAddress | undefined {
	const [, six, other, digits] = /^(?:\[([\da-fA-F:.]+)\]|([\w.-]*)):(\d{1,5})$/.exec(text) ?? [];
	const port = Number(digits);
	if (digits === undefined || port > 65_535) return undefined;
	return {host: six || other || undefined, port};
}
