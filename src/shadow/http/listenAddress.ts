/** Where a server listens: on all addresses where no host is named. */
export type ListenAddress = {readonly host: string | undefined; readonly port: number};

/** Reads `HOST:PORT`, `:PORT` or `[IPv6]:PORT`; undefined where the text is none of them. */
export function parseListenAddress(text: string): ListenAddress | undefined {
	const [, six, other, digits] = /^(?:\[([\da-fA-F:.]+)\]|([\w.-]*)):(\d{1,5})$/.exec(text) ?? [];
	const port = Number(digits);
	if (digits === undefined || port > 65_535) return undefined;
	return {host: six || other || undefined, port};
}

/** Whether only this machine can reach an IP address. */
export const isLoopback = (address: string): boolean => /^(?:127\.|::1$|::ffff:127\.)/.test(address);

/**
 * Whether a Host header names this machine, with whatever port, as that of a tunnel differs. A page in a browser that has
 * its own name resolve to loopback (DNS rebinding) would read what is served here; the browser sends that name as Host.
 */
export const namesLoopback = (host: string): boolean =>
	/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i.test(host);
