import {podKey} from '../../../core/model/pod.ts';
import type {NodePod} from '../../../core/nodepressure/nodePod.ts';
import {podUsage} from '../../../core/nodepressure/ranking.ts';
import type {PodStats} from '../../../core/nodepressure/summary.ts';
import type {FileSystems} from '../../../core/nodepressure/thresholds/containerFsThresholds.ts';
import {resourceOf, type Signal} from '../../../core/nodepressure/thresholds/signal.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import type {Interval} from '../../observe/interval.ts';
import {cleanup} from '../nextPass.ts';
import type {PodAmounts} from './podAmounts.ts';
import type {PressureEvidence} from './pressureEvidence.ts';

/** A pod that was measured and is no longer on the node. */
export type GonePod = {
	readonly pod: NodePod;
	readonly history: PodAmounts;
	/** When it ended: measurements before include its usage, measurements after do not. */
	readonly ended: Interval;
};

/** The longest time from the end of a pod's containers to its report. */
const reportedWithin: Duration = 3 * second;
/** The longest time from that report until measurements no longer include the pod. */
const settling: Duration = 5 * second;

/** The measured pods that a kubelet no longer has. */
export function gonePods(
	evidence: PressureEvidence,
	histories: ReadonlyMap<string, PodAmounts>,
): readonly GonePod[] {
	const {pods, samples, evicted = [], reports = [], listedBefore} = evidence;
	const present = new Set(pods.map(({uid}) => uid));
	const newestAt = samples.at(-1)?.seenAt ?? 0;
	return [...histories].flatMap(([uid, history]) => {
		if (present.has(uid)) return [];
		const own = evicted.find((one) => one.uid === uid);
		// A pod that was never listed is no pod of the API server.
		if (!own && !listedBefore?.has(uid) && history.seenAt === newestAt) return [];
		const report = reports.find(
			({reason, pod}) => reason === 'Evicted' && own !== undefined && pod === `${own.namespace}/${own.name}`,
		);
		const seenAt = Math.min(history.newest.memory?.time ?? history.seenAt, history.seenAt);
		const ended =
			own?.at === undefined
				? {lo: seenAt, hi: Math.max(newestAt, history.seenAt + settling)}
				: {lo: Math.min(own.at - reportedWithin, report?.at ?? own.at), hi: own.at + settling};
		return [{pod: bare(history.newest), history, ended}];
	});
}

/** When a pod without measurements was last evicted: amounts before that do not begin a trend of amounts after it. */
export function unmeasuredEvictionAt(
	{pods, evicted = [], reports = []}: PressureEvidence,
	histories: ReadonlyMap<string, PodAmounts>,
): Instant {
	const isMeasured = (key: string) =>
		[...evicted, ...pods].some((one) => podKey(one) === key && histories.has(one.uid));
	const times = [
		...evicted.flatMap((one) => (isMeasured(podKey(one)) ? [] : (one.at ?? []))),
		...reports
			.filter(({reason, pod}) => reason === 'Evicted' && pod !== undefined && !isMeasured(pod))
			.map(({at}) => at),
	];
	return Math.max(Number.NEGATIVE_INFINITY, ...times) + settling;
}

/** A pod as far as its statistics show it: all of its volumes count as local. */
const bare = ({uid, volumes}: PodStats): NodePod => ({
	...{namespace: '', name: '', uid, isMirror: false, containers: [], initContainers: [], overhead: {}},
	...{volumes: volumes.map(({name}) => ({name, kind: 'emptyDir', medium: ''})), tolerations: []},
});

const isDisk = (signal: Signal): boolean => ['ephemeral-storage', 'inodes'].includes(resourceOf(signal));

/** Whether a measurement at an instant still includes a pod's usage. */
export function isTaken({ended}: GonePod, signal: Signal, at: Instant): 'yes' | 'no' | 'maybe' {
	if (at <= ended.lo) return 'yes';
	return at > ended.hi + (isDisk(signal) ? cleanup : 0) ? 'no' : 'maybe';
}

/** Whether a measurement fell into a pod's end, so that it belongs to no trend. */
export const isGoing = ({ended}: GonePod, signal: Signal, at: Instant): boolean =>
	at > ended.lo && at <= ended.hi + (isDisk(signal) ? settling : 0) && ended.hi - ended.lo <= cleanup;

export const usageOfGone = (
	{pod, history}: GonePod,
	signal: Signal,
	at: Instant,
	fileSystems: FileSystems,
): bigint => podUsage(pod, history.statsAt(at), signal, fileSystems);
