import {setTimeout as sleep} from 'node:timers/promises';
import {type ApiClient, ApiError, mergePatch, unless, type WatchEvent} from './apiClient.ts';
import {
	type LeaseObject,
	type Metadata,
	microTime,
	type NodeObject,
	type PodObject,
	time,
} from './objects.ts';

const renewInterval = 10_000;
const statusInterval = 300_000;
/** Up to 4 % is added to the interval between two renewals. */
const renewJitter = 0.04;
/** A kubelet tries this often before it waits for the next renewal, because a connection may just have been closed. */
const renewAttempts = 5;
/** How long containers take to end, in milliseconds. */
const killDuration = 1000;

/** How many seconds a pod's containers usually take to start; between 70 and 130 % of it. */
export const startAnnotation = 'e2e/start-seconds';
/** The one volume of a pod, which its node must have attached first. */
export const volumeAnnotation = 'e2e/volume';
export const volumeDriver = 'csi.example';
const attachments = '/apis/storage.k8s.io/v1/volumeattachments';

const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';

/** A node's agent as the API server sees it: it sends heartbeats, and starts and ends pods, but runs no containers. */
export class FakeKubelet {
	readonly name: string;
	readonly zone: string;
	readonly #api: ApiClient;
	readonly #labels: Readonly<Record<string, string>>;
	/** How far its clock is ahead, in milliseconds. */
	readonly #clockOffset: number;
	#lease: LeaseObject | undefined;
	#readySince: number;
	#life: AbortController | undefined;
	/** The pods that it has begun to start, by uid. */
	readonly #starting = new Set<string>();
	/** The volumes in use, by the pod's uid. */
	readonly #volumes = new Map<string, string>();

	constructor(api: ApiClient, name: string, region: string, zone: string, clockOffset = 0) {
		this.#api = api;
		this.name = name;
		this.zone = zone;
		this.#clockOffset = clockOffset;
		this.#readySince = this.#now();
		this.#labels = {
			'kubernetes.io/hostname': name,
			'topology.kubernetes.io/region': region,
			'topology.kubernetes.io/zone': zone,
		};
	}

	get isAlive(): boolean {
		return this.#life !== undefined;
	}

	/** Registers the node, as a kubelet does at its first start. */
	async register(): Promise<void> {
		const status = {
			conditions: this.#conditions(),
			addresses: [{type: 'Hostname', address: this.name}],
			capacity: {cpu: '8', memory: '32Gi', pods: '110'},
			allocatable: {cpu: '8', memory: '32Gi', pods: '110'},
		};
		await this.#api.request('POST', '/api/v1/nodes', {
			metadata: {
				...{name: this.name, labels: this.#labels},
				annotations: {'volumes.kubernetes.io/controller-managed-attach-detach': 'true'},
			},
			status,
		});
	}

	/** Starts the heartbeats: at once, and then each at its own interval. */
	async start(): Promise<void> {
		if (this.#life) return;
		const life = new AbortController();
		this.#life = life;
		this.#readySince = this.#now();
		await Promise.all([this.#renewLease(), this.#postStatus()]);
		void repeat(renewInterval, renewJitter, () => this.#renewLease(), life.signal);
		void repeat(statusInterval, 0, () => this.#postStatus(), life.signal);
	}

	/** Stops silently, as after a power failure. */
	stop(): void {
		this.#life?.abort();
		this.#life = undefined;
	}

	/** Does what a kubelet does for its pods: starts a pod, marks it ready, or ends it if it is deleted. */
	async sync(pod: PodObject): Promise<void> {
		if (!this.#life) return;
		// What its kubelet ended remains until somebody deletes it.
		if (pod.status?.phase === 'Failed' && !pod.metadata.deletionTimestamp) return;
		const path = `/api/v1/namespaces/${pod.metadata.namespace}/pods/${pod.metadata.name}`;
		if (pod.metadata.deletionTimestamp) {
			await sleep(killDuration);
			if (!this.#life) return;
			const options = {gracePeriodSeconds: 0, preconditions: {uid: pod.metadata.uid}};
			await unless(404, this.#api.request('DELETE', path, options));
			if (this.#volumes.delete(pod.metadata.uid ?? '')) await this.#postVolumes();
		} else if (!pod.status?.conditions?.some(({type, status}) => type === 'Ready' && status === 'True')) {
			if (!(await this.#hasStarted(pod))) return;
			await unless(
				404,
				this.#api.request('PATCH', `${path}/status`, {status: runningStatus(addressOf(pod))}, mergePatch),
			);
		}
	}

	/** Waits for a pod's volume, and for its containers; false if somebody else does, or its node dies meanwhile. */
	async #hasStarted({metadata: {uid = '', annotations = {}}}: PodObject): Promise<boolean> {
		const seconds = Number(annotations[startAnnotation] ?? 0);
		const volume = annotations[volumeAnnotation];
		if (seconds === 0 && volume === undefined) return true;
		if (this.#starting.has(uid)) return false;
		this.#starting.add(uid);
		if (volume !== undefined) {
			this.#volumes.set(uid, `kubernetes.io/csi/${volumeDriver}^${volume}`);
			await this.#postVolumes();
			while (this.#life && !(await this.#hasAttached(volume))) await sleep(1000);
		}
		await sleep(seconds * (700 + 600 * Math.random()));
		return this.#life !== undefined;
	}

	async #hasAttached(volume: string): Promise<boolean> {
		const {items} = await this.#api.request<{items: readonly AttachmentObject[]}>('GET', attachments);
		return items.some(
			({spec, status}) =>
				spec.nodeName === this.name && spec.source.persistentVolumeName === volume && status?.attached,
		);
	}

	async #postVolumes(): Promise<void> {
		const status = {volumesInUse: [...this.#volumes.values()]};
		await this.#api.request('PATCH', `/api/v1/nodes/${this.name}/status`, {status}, mergePatch);
	}

	async #renewLease(): Promise<void> {
		for (let attempt = 1; ; attempt += 1) {
			try {
				return await this.#writeLease();
			} catch (error) {
				if (attempt === renewAttempts || !this.#life) throw error;
			}
		}
	}

	async #writeLease(): Promise<void> {
		const metadata = this.#lease?.metadata ?? (await this.#leaseMetadata());
		const spec = {holderIdentity: this.name, leaseDurationSeconds: 40, renewTime: microTime(this.#now())};
		try {
			this.#lease = await this.#api.request(
				metadata ? 'PUT' : 'POST',
				metadata ? `${leases}/${this.name}` : leases,
				{metadata: metadata ?? {name: this.name, namespace: 'kube-node-lease'}, spec},
			);
		} catch (error) {
			this.#lease = undefined;
			throw error;
		}
	}

	/** The metadata of an existing lease, from before a restart. */
	async #leaseMetadata(): Promise<LeaseObject['metadata'] | undefined> {
		try {
			return (await this.#api.request<LeaseObject>('GET', `${leases}/${this.name}`)).metadata;
		} catch (error) {
			if (error instanceof ApiError && error.status === 404) return undefined;
			throw error;
		}
	}

	async #postStatus(): Promise<void> {
		const status = {conditions: this.#conditions()};
		await this.#api.request<NodeObject>('PATCH', `/api/v1/nodes/${this.name}/status`, {status}, mergePatch);
	}

	#now(): number {
		return Date.now() + this.#clockOffset;
	}

	#conditions() {
		const common = {lastHeartbeatTime: time(this.#now()), lastTransitionTime: time(this.#readySince)};
		return [
			{type: 'MemoryPressure', status: 'False', reason: 'KubeletHasSufficientMemory', ...common},
			{type: 'DiskPressure', status: 'False', reason: 'KubeletHasNoDiskPressure', ...common},
			{type: 'PIDPressure', status: 'False', reason: 'KubeletHasSufficientPID', ...common},
			{type: 'Ready', status: 'True', reason: 'KubeletReady', ...common},
		];
	}
}

type AttachmentObject = {
	readonly metadata: Metadata;
	readonly spec: {readonly nodeName: string; readonly source: {readonly persistentVolumeName: string}};
	readonly status?: {readonly attached?: boolean};
};

/** Attaches what the attach-detach controller asks for, as a driver's external-attacher does. */
export function startAttacher(api: ApiClient, kubelets: readonly FakeKubelet[], signal: AbortSignal): void {
	const storage = '/apis/storage.k8s.io/v1';
	const driver = {metadata: {name: volumeDriver}, spec: {attachRequired: true}};
	void api.request('POST', `${storage}/csidrivers`, driver);
	for (const {name} of kubelets) {
		const spec = {drivers: [{name: volumeDriver, nodeID: name, topologyKeys: null}]};
		void api.request('POST', `${storage}/csinodes`, {metadata: {name}, spec});
	}
	const attach = ({type, object}: WatchEvent<AttachmentObject>) => {
		if (type === 'ERROR' || type === 'DELETED' || object.status?.attached) return;
		const path = `${attachments}/${object.metadata.name}/status`;
		void api.request('PATCH', path, {status: {attached: true}}, mergePatch).catch(() => {});
	};
	void api.watch(attachments, attach, signal);
}

let pods = 0;
/** An address for each pod, as from a pod network: a pod without one is not in a service's endpoints. */
const addresses = new Map<string, string>();
function addressOf({metadata: {uid = ''}}: PodObject): string {
	const known = addresses.get(uid);
	if (known !== undefined) return known;
	pods += 1;
	const address = `10.244.${pods >> 8}.${pods & 0xff}`;
	addresses.set(uid, address);
	return address;
}

function runningStatus(podIP: string) {
	const now = time(Date.now());
	// PodScheduled is no kubelet's: its time stays that of the binding.
	const types = ['Initialized', 'ContainersReady', 'Ready'];
	return {
		phase: 'Running',
		startTime: now,
		...{podIP, podIPs: [{ip: podIP}]},
		// Without a running container, a pod that is being deleted counts as ended for the attach-detach controller.
		containerStatuses: [
			{
				...{name: 'main', image: 'registry.example/none', imageID: '', ready: true, restartCount: 0},
				state: {running: {startedAt: now}},
			},
		],
		conditions: types.map((type) => ({type, status: 'True', lastTransitionTime: now})),
	};
}

/** Repeats a task, starting at a random point of the interval: kubelets' heartbeats are not synchronized. */
async function repeat(
	interval: number,
	jitter: number,
	task: () => Promise<void>,
	signal: AbortSignal,
): Promise<void> {
	let pause = interval * Math.random();
	while (!signal.aborted) {
		// The sleep rejects when the kubelet stops.
		await sleep(pause, undefined, {signal}).catch(() => {});
		if (signal.aborted) return;
		// A kubelet that cannot reach the API server retries, and so does this one.
		await task().catch(() => {});
		pause = interval * (1 + jitter * Math.random());
	}
}
