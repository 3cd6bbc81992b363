import type {ApiClient, WatchEvent} from '../apiClient.ts';
import {type PodObject, podName} from '../objects.ts';
import {namespace as shop} from './names.ts';
import {type Workload, workloads} from './workloads.ts';

/** What was observed of one pod, with the times of its watch events. */
export type SeenPod = {
	readonly name: string;
	readonly uid: string;
	/** The label `app`, which is the name of its workload. */
	readonly app: string;
	readonly createdAt: number;
	node: string;
	isReady: boolean;
	readyAt: number | undefined;
	/** Whether the scheduler reports that no node fits. */
	isUnschedulable: boolean;
	terminatingAt: number | undefined;
	goneAt: number | undefined;
};

/** The number of a workload's ready pods from an instant on. */
type ReadyCount = {readonly at: number; readonly ready: number};

type FullPod = PodObject & {readonly metadata: {readonly labels?: Readonly<Record<string, string>>}};
type SliceObject = {
	readonly metadata: {readonly name: string; readonly labels?: Readonly<Record<string, string>>};
	readonly endpoints?: readonly {readonly conditions?: {readonly ready?: boolean}}[];
};
type WorkloadObject = {
	readonly metadata: {readonly name: string};
	readonly status?: Readonly<Record<string, unknown>>;
};

/** The status field in which each kind counts its ready pods. */
const countedIn: Readonly<Record<string, string>> = {
	...{Deployment: 'readyReplicas', StatefulSet: 'readyReplicas', DaemonSet: 'numberReady', Job: 'ready'},
};

/** What really happens to the pods and workloads. */
export class Truth {
	readonly pods = new Map<string, SeenPod>();
	/** By `Kind/name`. */
	readonly counts = new Map<string, ReadyCount[]>();
	readonly #end = new AbortController();

	start(api: ApiClient, namespace = shop, watched = workloads): void {
		const {signal} = this.#end;
		const path = `/api/v1/namespaces/${namespace}/pods`;
		void api.watch<FullPod>(path, (event) => this.#onPod(event), signal);
		const slices = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`;
		void api.watch<SliceObject>(slices, (event) => this.#onSlice(event), signal);
		for (const one of new Map(watched.map((workload) => [workload.path, workload])).values()) {
			if (one.kind === 'Pod') continue;
			void api.watch<WorkloadObject>(one.path, ({object}) => this.#onWorkload(one.kind, object), signal);
		}
	}

	end(): void {
		this.#end.abort();
	}

	podsOf(app: string): SeenPod[] {
		return [...this.pods.values()].filter((pod) => pod.app === app);
	}

	get readyPods(): number {
		return [...this.pods.values()].filter(({isReady, goneAt}) => isReady && goneAt === undefined).length;
	}

	/** The lowest number of ready pods of a workload since an instant, and when it was first reached. */
	lowest(
		{kind, name}: {readonly kind: string; readonly name: string},
		since: number,
	): ReadyCount | undefined {
		const all = this.counts.get(`${kind}/${name}`) ?? [];
		const before = all.findLast(({at}) => at < since);
		const after = all.filter(({at}) => at >= since);
		const counts = [...(before ? [before] : []), ...after];
		return counts.toSorted((a, b) => a.ready - b.ready || a.at - b.at)[0];
	}

	#onWorkload(kind: Workload['kind'], {metadata, status}: WorkloadObject): void {
		const ready = Number(status?.[countedIn[kind] ?? ''] ?? 0);
		this.#count(`${kind}/${metadata.name}`, ready);
	}

	/** A service of this size has only one slice. */
	#onSlice({type, object: {metadata, endpoints}}: WatchEvent<SliceObject>): void {
		if (type === 'ERROR' || type === 'DELETED') return;
		const ready = (endpoints ?? []).filter(({conditions}) => conditions?.ready === true).length;
		this.#count(`Service/${metadata.labels?.['kubernetes.io/service-name'] ?? ''}`, ready);
	}

	#count(key: string, ready: number): void {
		const counts = this.counts.get(key) ?? [];
		if (counts.at(-1)?.ready !== ready) this.counts.set(key, [...counts, {at: Date.now(), ready}]);
	}

	#onPod({type, object: pod}: WatchEvent<FullPod>): void {
		if (type === 'ERROR') return;
		const at = Date.now();
		const {name, uid = '', labels, deletionTimestamp} = pod.metadata;
		const conditions = pod.status?.conditions ?? [];
		const seen: SeenPod = this.pods.get(uid) ?? {
			...{name: podName(pod), uid, app: labels?.['app'] ?? name, createdAt: at, node: ''},
			...{
				isReady: false,
				readyAt: undefined,
				isUnschedulable: false,
				terminatingAt: undefined,
				goneAt: undefined,
			},
		};
		seen.node = pod.spec.nodeName ?? '';
		seen.isReady = conditions.some((one) => one.type === 'Ready' && one.status === 'True');
		if (seen.isReady) seen.readyAt ??= at;
		seen.isUnschedulable = conditions.some(
			({type, status, reason}) => type === 'PodScheduled' && status === 'False' && reason === 'Unschedulable',
		);
		if (deletionTimestamp) seen.terminatingAt ??= at;
		if (type === 'DELETED') seen.goneAt ??= at;
		this.pods.set(uid, seen);
		if (seen.app === 'alone') this.#count('Pod/alone', seen.isReady && !seen.terminatingAt ? 1 : 0);
	}
}
