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

/**
 * A signal that is aborted as soon as one of these is. What would be a joint signal of one is that one: joint ones, and
 * all that listens to them, stay in memory until V8 collects its whole heap, which a short command never sees.
 */
export function anySignal(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
	const [first, ...others] = signals.filter((one) => one !== undefined);
	if (!first) return new AbortController().signal;
	return others.length === 0 ? first : AbortSignal.any([first, ...others]);
}
