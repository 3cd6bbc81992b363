import type {FileSystems} from '../../../core/nodepressure/thresholds/containerFsThresholds.ts';
import {type Signal, signals} from '../../../core/nodepressure/thresholds/signal.ts';
import {type GonePod, gonePods, unmeasuredEvictionAt} from './gonePods.ts';
import {type PodAmounts, podAmounts} from './podAmounts.ts';
import type {PressureEvidence} from './pressureEvidence.ts';
import {signalPoints} from './series.ts';
import {robustTrend, type Trend} from './trend.ts';

/** What a node's signals and pods have been doing. */
export type NodeTrends = {
	readonly signals: ReadonlyMap<Signal, Trend>;
	readonly pods: ReadonlyMap<string, PodAmounts>;
	/** What they had is in the older measurements, and is given back. */
	readonly gone: readonly GonePod[];
};

/** The trends that a node's samples show. */
export function nodeTrends(evidence: PressureEvidence, fileSystems: FileSystems): NodeTrends {
	const {samples} = evidence;
	const pods = podAmounts(samples);
	const gone = gonePods(evidence, pods);
	const since = unmeasuredEvictionAt(evidence, pods);
	const comparable = samples.filter(({seenAt}) => seenAt > since);
	const ofSignals = signals.map(
		(signal) => [signal, robustTrend(signalPoints(comparable, signal, gone, fileSystems))] as const,
	);
	return {
		signals: new Map(ofSignals.filter((entry): entry is [Signal, Trend] => entry[1] !== undefined)),
		pods,
		gone,
	};
}
