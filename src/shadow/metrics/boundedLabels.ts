/** The label of all values beyond the limit. */
export const otherLabel = '_other';

/** Limits the values of a metric label, as each one is a time series in Prometheus: the first have their own, others share one. */
export function boundedLabels(most: number) {
	const known = new Set<string>();
	return (value: string): string => {
		if (!known.has(value) && known.size >= most) return otherLabel;
		known.add(value);
		return value;
	};
}

export type BoundedLabels = ReturnType<typeof boundedLabels>;
