/** One line of a kubelet's trace. */
type KubeletEvent = Readonly<Record<string, unknown>> & {readonly at: number; readonly kind: string};

/** The result of playing a scenario of the kubelet's eviction manager. */
export type KubeletTrace = {
	readonly trace: readonly KubeletEvent[];
	readonly passes: readonly number[];
	readonly debug: readonly unknown[];
	/** Set if the thresholds are invalid: then nothing is played. */
	readonly parseError?: string;
};

/** One run in the scenario's order of pods, and one in a random one. */
export type KubeletRun = KubeletTrace & {readonly name: string; readonly shuffled: KubeletTrace};

/** The part of a trace that a prediction must match, as one text. */
export function coreOf({trace}: Pick<KubeletTrace, 'trace'>): string {
	const lines = trace.flatMap(({at, kind, pod, graceSeconds, condition, status, op, admit}) => {
		if (kind === 'kill') return [`${at} kill ${pod} ${graceSeconds}`];
		if (kind === 'condition') return [`${at} ${condition} ${status}`];
		if (kind === 'node-reclaim') return [`${at} ${op}`];
		return kind === 'admit' ? [`${at} admit ${pod} ${admit}`] : [];
	});
	return lines.join('; ');
}

/** The pod that is killed first; undefined if none is. */
export const firstVictim = ({trace}: Pick<KubeletTrace, 'trace'>) =>
	trace.find(({kind}) => kind === 'kill')?.['pod'] as string | undefined;

/** The outcome, and what of it is random, in a vector's format. */
export function summarizeRuns(runs: readonly KubeletRun[]): Readonly<Record<string, unknown>> {
	const byText = new Map(runs.map((run) => [JSON.stringify(run.trace), run]));
	const variants = [...byText.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, run]) => run);
	const [first] = variants;
	if (!first) throw new Error('there are no runs');
	const cores = new Set(variants.map(coreOf));
	const victims = new Set(runs.flatMap(({shuffled}) => firstVictim(shuffled) ?? []));
	const varying = cores.size === 1 ? varyingEvents(variants) : undefined;
	return {
		determinism: {
			runs: runs.length,
			deterministic: variants.length === 1,
			traceVariants: variants.length,
			coreVariants: cores.size,
			shuffledRuns: runs.length,
			podOrderSensitive: runs.some(({shuffled}) => !cores.has(coreOf(shuffled))),
			firstVictimsShuffled: victims.size > 0 ? [...victims].toSorted() : null,
		},
		trace: first.trace,
		passes: first.passes,
		debug: first.debug,
		...(first.parseError !== undefined && {parseError: first.parseError}),
		...(variants.length > 1 &&
			(varying
				? {varyingEvents: varying}
				: {variants: variants.map(({trace, passes}) => ({trace, passes}))})),
	};
}

/** If all variants have the same events at the same times: which fields differ, and all observed values. */
function varyingEvents(variants: readonly KubeletRun[]): readonly unknown[] | undefined {
	const [first] = variants;
	const isAligned = variants.every(
		({trace}) =>
			trace.length === first?.trace.length &&
			trace.every(({at, kind}, i) => at === first.trace[i]?.at && kind === first.trace[i]?.kind),
	);
	if (!isAligned) return undefined;
	return (first?.trace ?? []).flatMap((_, index) => {
		const events = variants.map(({trace}) => trace[index] ?? {});
		const keys = [...new Set(events.flatMap((event) => Object.keys(event)))];
		const differing = keys.flatMap((key) => {
			const seen = new Map(
				events.flatMap((event) => {
					const value = (event as Readonly<Record<string, unknown>>)[key];
					return value === undefined ? [] : [[JSON.stringify(value), value] as const];
				}),
			);
			const values = [...seen.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
			return values.length > 1 ? [[key, values] as const] : [];
		});
		return differing.length > 0 ? [{index, ...Object.fromEntries(differing)}] : [];
	});
}
