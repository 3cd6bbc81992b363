import {workloadOf} from '../../core/model/workload.ts';
import type {Forecast} from '../../forecast/forecast.ts';
import type {PodForecast, Range} from '../../forecast/podForecast.ts';
import {compareText} from '../../print/compareText.ts';

/** The pods that belong together, and what becomes of them. */
export type Workload = {
	/** `namespace/Kind/name`. */
	readonly key: string;
	readonly namespace: string;
	readonly kind: string;
	readonly name: string;
	/** Pods that are there and not on their way out. */
	readonly replicas: number;
	/** Those of them that no eviction is foretold for: what is left before anything is replaced. */
	readonly after: number;
	readonly coming: number;
	readonly held: number;
	readonly terminating: number;
	/** When the first of them goes; null where none does. */
	readonly first: Range | null;
	readonly priority: number;
	/** What its controller does about a pod that goes. */
	readonly afterwards: string;
};

/** What follows once a pod's deletion is asked for, in a few words. */
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
			return 'DaemonSet tries its node again';
		case 'Job':
			return 'its Job may retry';
		case 'Node':
			return 'static: back with its kubelet';
		default:
			return `its ${kind} decides`;
	}
}

function keyOf(pod: PodForecast): string {
	const {kind, name} = workloadOf(pod);
	return `${pod.namespace}/${kind}/${name}`;
}

const known = new WeakMap<Forecast['pods'], readonly Workload[]>();

/** The workloads of all pods, those that lose pods soonest first. */
export function workloadsOf({pods}: Forecast): readonly Workload[] {
	const before = known.get(pods);
	if (before) return before;
	// By owner first, which is one comparison a pod; a Deployment may have several.
	const owners = Map.groupBy(pods, ({owner, uid}) => owner?.uid ?? uid);
	const groups = Map.groupBy([...owners.values()], ([sample]) => (sample ? keyOf(sample) : ''));
	const workloads = [...groups]
		.flatMap(([key, pods]) => summary(key, pods.flat()) ?? [])
		.toSorted(compareWorkloads);
	known.set(pods, workloads);
	return workloads;
}

function summary(key: string, pods: readonly PodForecast[]): Workload | undefined {
	const [sample] = pods;
	if (!sample) return undefined;
	const count = (isMeant: (pod: PodForecast) => boolean) => pods.filter(isMeant).length;
	const terminating = count(({verdict}) => verdict === 'Terminating');
	const coming = pods.filter(({eviction}) => eviction !== null);
	const [first] = coming.toSorted((a, b) => (a.eviction?.earliest ?? 0) - (b.eviction?.earliest ?? 0));
	return {
		key,
		namespace: sample.namespace,
		...workloadOf(sample),
		replicas: pods.length - terminating,
		after: pods.length - terminating - coming.length,
		coming: coming.length,
		held: count(({verdict}) => verdict === 'Held'),
		terminating,
		first: first?.eviction ?? null,
		priority: sample.priority ?? 0,
		afterwards: thenWords({...sample, after: null}),
	};
}

/** Those that lose pods first, then those with held pods, then by name. */
export function compareWorkloads(a: Workload, b: Workload): number {
	const rank = ({first, held, terminating}: Workload) => (first ? 0 : held > 0 ? 1 : terminating > 0 ? 2 : 3);
	const at = ({first}: Workload) => (first ? Math.floor(first.earliest / 1000) : 0);
	return rank(a) - rank(b) || at(a) - at(b) || compareText(a.key, b.key);
}
