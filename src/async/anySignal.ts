/**
 * A signal that is aborted as soon as one of these is. What would be a joint signal of one is that one: joint ones, and
 * all that listens to them, stay in memory until V8 collects its whole heap, which a short command never sees.
 */
export function anySignal(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
	const [first, ...others] = signals.filter((one) => one !== undefined);
	if (!first) return new AbortController().signal;
	return others.length === 0 ? first : AbortSignal.any([first, ...others]);
}
