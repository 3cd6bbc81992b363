import {defaultEvictionHard} from '../../../core/nodepressure/thresholds/evictionDefaults.ts';
import {evictionSettings} from '../../../core/nodepressure/thresholds/evictionSettings.ts';
import {observeSignals} from '../../../core/nodepressure/thresholds/observations.ts';
import {thresholdsMet} from '../../../core/nodepressure/thresholds/thresholdsMet.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import {Range} from '../../range.ts';
import type {PressureEviction} from '../pressureForecast.ts';
import type {PressureEvidence, PressureProblem, SummarySample} from './pressureEvidence.ts';

/** Metrics are collected every fifteen seconds or less often, and are of the time before that. */
const lag: Duration = 30 * second;

const metricsOnly: PressureProblem = {
	reason: 'MetricsOnly',
	message:
		'the kubelet’s own statistics cannot be read, only what the metrics API tells of memory: up to a minute old, without disks, inodes and processes; the order is that of working sets over requests, and times are 30s wider, with no end',
};

const thresholdGuessed: PressureProblem = {
	reason: 'ThresholdGuessed',
	message:
		'MemoryPressure is True though more is left than a kubelet’s defaults ask for: its threshold is higher, and is taken to be just above what is left',
};

/**
 * What is assumed if the metrics API replaces the kubelet's statistics. Then the kubelet's configuration is not seen: if the
 * condition shows that a threshold is met that the defaults do not have, one just above the available amount is assumed.
 */
export function asOfMetrics(
	evidence: PressureEvidence,
	newest: SummarySample,
): {readonly evidence: PressureEvidence; readonly problems: readonly PressureProblem[]} {
	if (evidence.source !== 'metrics') return {evidence, problems: []};
	const observations = observeSignals(newest.summary);
	const left = observations.get('memory.available');
	const isPressed = evidence.conditions.some(
		({type, status}) => type === 'MemoryPressure' && status === 'True',
	);
	const {thresholds} = evictionSettings({evictionHard: defaultEvictionHard});
	const isKnown = thresholdsMet(thresholds, observations, false).some(
		({signal}) => signal === 'memory.available',
	);
	if (evidence.config || !left || !isPressed || isKnown) return {evidence, problems: [metricsOnly]};
	const evictionHard = {...defaultEvictionHard, 'memory.available': String(left.available + 1n)};
	return {evidence: {...evidence, config: {evictionHard}}, problems: [metricsOnly, thresholdGuessed]};
}

/** Whether a problem of the kubelet only repeats a limit of the metrics API, which shows no disks. */
export const repeatsMetricsLimit = ({reason}: PressureProblem, {source}: PressureEvidence): boolean =>
	source === 'metrics' && (reason === 'SignalNotObserved' || reason === 'FileSystemsGuessed');

/** The same eviction with everything that metrics leave open: nothing is certain, and nothing bounds it. */
export const widened = ({when, ...eviction}: PressureEviction, now: Instant): PressureEviction => ({
	...eviction,
	when: new Range(Math.max(now, when.earliest - lag), when.expected, null, {shownEnd: when.shownEnd}),
	isCertain: false,
});
