import {Counter, Gauge, type OpenMetricsContentType, Registry} from 'prom-client';
import {grouped} from '../../core/collections/grouped.ts';
import type {TextMap} from '../../text/textMap.ts';

export type Sample = readonly [labels: TextMap, value: number];

/** A metric that is computed at each scrape. */
export type Family<State> = Readonly<{
	name: string;
	help: string;
	type: 'gauge' | 'counter';
	labels: readonly string[];
	/** All current values; others are absent, neither stale nor zero. */
	samples: (state: State) => Iterable<Sample>;
}>;

const family =
	(type: Family<never>['type']) =>
	<State>(
		name: string,
		help: string,
		labels: readonly string[],
		samples: Family<State>['samples'],
	): Family<State> => ({name, help, type, labels, samples});

export const gauge = family('gauge');
export const counter = family('counter');

/** A value without labels; absent if there is none. */
export const single = (value: number | null | undefined): readonly Sample[] =>
	value === null || value === undefined ? [] : [[{}, value]];

/** The number of items with the same labels. */
export const countsBy = <Item>(items: Iterable<Item>, labelsOf: (item: Item) => TextMap): readonly Sample[] =>
	grouped(items, (item) => Object.values(labelsOf(item)).join(' ')).map(([, alike]) => [
		labelsOf(alike[0]),
		alike.length,
	]);

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
	{name, help, labels, type, samples}: Family<State>,
	state: () => State | undefined,
) {
	const Metric = type === 'gauge' ? Gauge : Counter;
	new Metric({
		name,
		help,
		labelNames: [...labels],
		registers: [registry],
		collect() {
			this.reset();
			// Without labels, a reset leaves a zero, which would look like a value.
			if (labels.length === 0) this.remove();
			const known = state();
			if (known === undefined) return;
			for (const [values, value] of samples(known)) this.inc(values, value);
		},
	});
}
