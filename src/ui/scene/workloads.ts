import {compareNames} from '../../core/collections/compareNames.ts';
import {workloadKeyOf, workloadOf} from '../../core/model/workloads/workload.ts';
import type {Forecast} from '../../forecast/forecast.ts';
import type {PodForecast} from '../../forecast/podForecast.ts';
import type {Range} from '../../forecast/range.ts';

export type WorkloadGroup = {
	/** `namespace/Kind/name`. */
	readonly key: string;
	readonly namespace: string;
	readonly kind: string;
	readonly name: string;
	/** Existing pods that are not Terminating. */
	readonly replicas: number;
	/** Those without a predicted eviction: what is left before replacements. */
	readonly after: number;
	readonly coming: number;
	readonly held: number;
	readonly terminating: number;
	/** When the first of them is evicted; null if none is. */
	readonly first: Range | null;
	/** What its controller does after an eviction. */
	readonly afterwards: string;
};

/** What follows a pod's deletion, in a few words. */
export function thenWords(pod: PodForecast): string {
	if (pod.after?.placement === 'None') return 'replaced, but no node takes it';
	if (pod.after?.outcome === 'StuckTerminating') return 'stuck Terminating';
	if (pod.after?.outcome === 'Stays') return 'stays';
	const {kind, name} = workloadOf(pod);
	switch (kind) {
		case 'Pod':
			return 'lost: nothing replaces it';
		case 'Deployment':
		case 'ReplicaSet':
		case 'ReplicationController':
			return 'replaced';
		case 'StatefulSet':
			return `blocks StatefulSet ${name}`;
		case 'DaemonSet':
			return 'recreated on the same node';
		case 'Job':
			return 'its Job may retry';
		case 'Node':
			return 'static: back with its kubelet';
		default:
			return `its ${kind} decides`;
	}
}

type WorkloadTally = {
	readonly sample: PodForecast;
	pods: number;
	coming: number;
	held: number;
	terminating: number;
	first: Range | null;
};

/** The workloads of all pods, those that lose pods soonest first. */
export const findWorkloads = (pods: Forecast['pods']): readonly WorkloadGroup[] =>
	[...talliesOf(pods)].map(([key, tally]) => summary(key, tally)).sort(compareWorkloads);

/** Reads each pod once: there are tens of thousands, and a frame waits for all of them. */
function talliesOf(pods: readonly PodForecast[]): ReadonlyMap<string, WorkloadTally> {
	const tallies = new Map<string, WorkloadTally>();
	// By owner, which needs one look-up per pod; a Deployment may have several owners.
	const ofOwners = new Map<string, WorkloadTally>();
	for (const pod of pods) {
		const owner = pod.owner?.uid ?? pod.uid;
		let tally = ofOwners.get(owner);
		if (!tally) {
			const key = workloadKeyOf(pod);
			tally = tallies.get(key) ?? {sample: pod, pods: 0, coming: 0, held: 0, terminating: 0, first: null};
			tallies.set(key, tally);
			ofOwners.set(owner, tally);
		}
		count(pod, tally);
	}
	return tallies;
}

function count({verdict, eviction}: PodForecast, tally: WorkloadTally): void {
	tally.pods += 1;
	if (verdict === 'Held') tally.held += 1;
	if (verdict === 'Terminating') tally.terminating += 1;
	if (!eviction) return;
	tally.coming += 1;
	if (!tally.first || eviction.earliest < tally.first.earliest) tally.first = eviction;
}

function summary(
	key: string,
	{sample, pods, coming, held, terminating, first}: WorkloadTally,
): WorkloadGroup {
	return {
		...{key, namespace: sample.namespace, ...workloadOf(sample)},
		replicas: pods - terminating,
		after: pods - terminating - coming,
		...{coming, held, terminating, first},
		afterwards: thenWords({...sample, after: null}),
	};
}

/** Workloads that lose pods first, then those with held pods, then by name. */
export function compareWorkloads(a: WorkloadGroup, b: WorkloadGroup): number {
	const rank = ({first, held, terminating}: WorkloadGroup) =>
		first ? 0 : held > 0 ? 1 : terminating > 0 ? 2 : 3;
	const at = ({first}: WorkloadGroup) => (first ? Math.floor(first.earliest / 1000) : 0);
	return rank(a) - rank(b) || at(a) - at(b) || compareNames(a.key, b.key);
}
