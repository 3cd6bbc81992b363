import process from 'node:process';

/**
 * Keeps Node.js from telling users that undici's SOCKS proxies are an experiment, which nothing can be done about. All
 * other warnings are told as ever.
 */
export function quietSocksWarning(): void {
	const emitWarning = process.emitWarning.bind(process) as (...words: unknown[]) => void;
	process.emitWarning = ((...words: unknown[]) => {
		if (!String(words[0]).startsWith('SOCKS5 proxy support is experimental')) emitWarning(...words);
	}) as typeof process.emitWarning;
}
