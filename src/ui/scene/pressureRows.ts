import {compareNames} from '../../core/collections/compareNames.ts';
import {mapBy} from '../../core/collections/mapBy.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {Forecast} from '../../forecast/forecast.ts';
import type {NodeForecast} from '../../forecast/nodeForecast.ts';
import type {
	PressureEviction,
	PressureForecast,
	SignalForecast,
	ThresholdForecast,
} from '../../forecast/pressure/pressureForecast.ts';

/** A signal of a node whose kubelet was queried; or only the node, if it was not queried or did not answer. */
export type PressureRow = Readonly<{
	node: string;
	/** The conditions that are True in the node's own status. */
	conditions: readonly string[];
	pressure?: PressureForecast;
	signal?: SignalForecast;
	/** The threshold that evicts first, if there are several. */
	threshold?: ThresholdForecast;
	next?: PressureEviction;
}>;

/** Nodes under pressure or queried, those with the next evictions first. */
export function pressureRows({nodes, pressure = []}: Forecast): readonly PressureRow[] {
	const looks = mapBy(pressure, (one) => one.node);
	const sorted = nodes
		.map((node) => ({node, urgency: urgencyOf(node, looks.get(node.name))}))
		.toSorted((a, b) => a.urgency - b.urgency || compareNames(a.node.name, b.node.name));
	return sorted.flatMap(({node}) => {
		const look = looks.get(node.name);
		return look || node.pressure ? rowsOf(node, look) : [];
	});
}

const never = Number.MAX_SAFE_INTEGER;

function urgencyOf({pressure}: NodeForecast, look: PressureForecast | undefined): number {
	const [next] = look?.evictions ?? [];
	if (next) return next.when.expected;
	if (pressure) return never - 2;
	return look ? never - 1 : never;
}

function rowsOf({name, pressure: said}: NodeForecast, pressure?: PressureForecast): readonly PressureRow[] {
	const bare = {node: name, conditions: said?.conditions ?? []};
	if (!pressure) return [bare];
	const measured = pressure.signals.filter(({available}) => available !== null);
	if (measured.length === 0) return [{...bare, pressure}];
	return measured.map((signal) => {
		const since = pressure.observedAt ?? 0;
		const threshold = signal.thresholds.toSorted((a, b) => nearness(a, since) - nearness(b, since))[0];
		const next = pressure.evictions.find(({signals}) => signals.includes(signal.signal));
		return {...bare, pressure, signal, ...(threshold && {threshold}), ...(next && {next})};
	});
}

/** How soon a threshold evicts: at once, after its grace period, or once it is crossed; otherwise its distance. */
function nearness({distance, crossing, graceLeft, threshold}: ThresholdForecast, now: Instant): number {
	if (crossing.type === 'met') return graceLeft?.most ?? 0;
	if (crossing.at) return crossing.at.expected - now + threshold.gracePeriod;
	return never + distance;
}

/** The key of a row; node names contain no spaces. */
export const pressureKey = ({node, signal}: PressureRow) => `${node} ${signal?.signal ?? ''}`;

/** The node in such a key. */
export const nodeOfKey = (key: string) => key.split(' ')[0] ?? '';
