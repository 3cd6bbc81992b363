import {defaultEvictionHard} from '../../../core/nodepressure/thresholds/evictionDefaults.ts';
import {evictionSettings} from '../../../core/nodepressure/thresholds/evictionSettings.ts';
import {observeSignals} from '../../../core/nodepressure/thresholds/observations.ts';
import {isMet} from '../../../core/nodepressure/thresholds/thresholdsMet.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import {Range} from '../../range.ts';
import type {PressureEviction} from '../pressureForecast.ts';
import type {PressureEvidence, PressureProblem, SummarySample} from './pressureEvidence.ts';

/** Metrics are gathered every fifteen seconds or less often, and are of the time before that. */
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
 * What is to be taken for granted where the metrics API speaks for the kubelet. Its configuration is not seen then: where
 * the condition shows that a threshold is met which the defaults do not know, there is one just above what is left.
 */
export function asOfMetrics(
	evidence: PressureEvidence,
	newest: SummarySample,
): {readonly evidence: PressureEvidence; readonly problems: readonly PressureProblem[]} {
	if (evidence.source !== 'metrics') return {evidence, problems: []};
	const left = observeSignals(newest.summary).get('memory.available');
	const isPressed = evidence.conditions.some(
		({type, status}) => type === 'MemoryPressure' && status === 'True',
	);
	const {thresholds} = evictionSettings({evictionHard: defaultEvictionHard});
	const isKnown =
		left !== undefined &&
		thresholds.some((one) => one.signal === 'memory.available' && isMet(one, left, false));
	if (evidence.config || !left || !isPressed || isKnown) return {evidence, problems: [metricsOnly]};
	const evictionHard = {...defaultEvictionHard, 'memory.available': String(left.available + 1n)};
	return {evidence: {...evidence, config: {evictionHard}}, problems: [metricsOnly, thresholdGuessed]};
}

/** Whether a problem says of the kubelet what is true of metrics alone: that they know of no disk is said already. */
export const isToldBySource = ({reason}: PressureProblem, {source}: PressureEvidence): boolean =>
	source === 'metrics' && (reason === 'SignalNotObserved' || reason === 'FileSystemsGuessed');

/** The same with all that metrics leave open: nothing is certain of it, and nothing bounds it. */
export const widened = ({when, ...eviction}: PressureEviction, now: Instant): PressureEviction => ({
	...eviction,
	when: new Range(Math.max(now, when.earliest - lag), when.expected, null, when.told),
	isCertain: false,
});
