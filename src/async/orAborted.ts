/** What comes of some work, for as long as somebody waits for it: others may wait on. @throws the signal's reason, or as the work */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
	if (!signal) return work;
	const aborted = Promise.withResolvers<never>();
	const abort = () => aborted.reject(signal.reason);
	if (signal.aborted) abort();
	signal.addEventListener('abort', abort);
	try {
		return await Promise.race([work, aborted.promise]);
	} finally {
		signal.removeEventListener('abort', abort);
	}
}
