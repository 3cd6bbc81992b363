import {Counter, Gauge, type OpenMetricsContentType, Registry} from 'prom-client';

export type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** A metric that is computed at each scrape. */
export type Family<State> = {
	readonly name: string;
	readonly help: string;
	readonly type: 'gauge' | 'counter';
	readonly labels?: readonly string[];
	/** All current values; others are absent, neither stale nor zero. */
	readonly samples: (state: State) => Iterable<Sample>;
};

type MetricsRegistry = Registry<OpenMetricsContentType>;

/** A registry in OpenMetrics format, which can be converted to Prometheus' format. */
export function newRegistry(): MetricsRegistry {
	const registry = new Registry<OpenMetricsContentType>();
	registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
	return registry;
}

/** Adds a family, computed from the current state; empty while there is none. */
export function register<State>(
	registry: MetricsRegistry,
	family: Family<State>,
	state: () => State | undefined,
): void {
	const {name, help, labels = [], type, samples} = family;
	const options = {name, help, labelNames: [...labels], registers: [registry]};
	const current = () => {
		const known = state();
		return known === undefined ? [] : samples(known);
	};
	if (type === 'gauge') {
		new Gauge({
			...options,
			collect() {
				empty(this, labels);
				for (const [values, value] of current()) this.set(values, value);
			},
		});
	} else {
		new Counter({
			...options,
			collect() {
				empty(this, labels);
				for (const [values, value] of current()) this.inc(values, value);
			},
		});
	}
}

function empty(metric: Gauge | Counter, labels: readonly string[]): void {
	metric.reset();
	// Without labels, a reset leaves a zero, which would look like a value.
	if (labels.length === 0) metric.remove();
}
