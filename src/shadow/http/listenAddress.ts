/** The address of a server: all interfaces if no host is given. */
export type ListenAddress = {readonly host: string | undefined; readonly port: number};

/** Parses `HOST:PORT`, `:PORT` or `[IPv6]:PORT`; undefined if it is invalid. */
export function parseListenAddress(text: string): ListenAddress | undefined {
	const [, six, other, digits] = /^(?:\[([\da-fA-F:.]+)\]|([\w.-]*)):(\d{1,5})$/.exec(text) ?? [];
	const port = Number(digits);
	if (digits === undefined || port > 65_535) return undefined;
	return {host: six || other || undefined, port};
}

/** Whether an IP address is only reachable from this machine. */
export const isLoopback = (address: string) => /^(?:127\.|::1$|::ffff:127\.)/.test(address);

/**
 * Whether a Host header names this machine, with any port, as tunnels change it. Prevents DNS rebinding: a web page whose
 * name resolves to loopback could read the responses, but the browser sends that name as Host.
 */
export const namesLoopback = (host: string): boolean =>
	/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i.test(host);
