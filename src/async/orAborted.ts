/** Awaits work until the signal aborts; the work itself goes on for other callers. @throws the signal's reason, or as the work */
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
 * A signal that aborts as soon as one of these does. A single signal is returned as it is: `AbortSignal.any` and its
 * listeners stay in memory until V8's next full garbage collection, which a short command never reaches.
 */
export function anySignal(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
	const [first, ...others] = signals.filter((one) => one !== undefined);
	if (!first) return new AbortController().signal;
	return others.length === 0 ? first : AbortSignal.any([first, ...others]);
}
