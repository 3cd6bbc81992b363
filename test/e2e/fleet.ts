import type {ApiClient, WatchEvent} from './apiClient.ts';
import {FakeKubelet} from './fakeKubelet.ts';
import {type PodObject, podName} from './objects.ts';

export const region = 'eu';
/** The number of nodes in each zone: `a-1`, `a-2`, ... */
export type Layout = Readonly<Record<string, number>>;

/** How far each node's clock is ahead, in milliseconds; right clocks have no entry. */
export type ClockOffsets = Readonly<Record<string, number>>;

const threeOfThree: Layout = {a: 3, b: 3, c: 3};

/** All kubelets of the cluster, and their pods. */
export class Fleet {
	readonly kubelets: readonly FakeKubelet[];
	readonly #pods = new Map<string, PodObject>();
	readonly #end = new AbortController();
	readonly #warn: (line: string) => void;
	readonly #api: ApiClient;

	constructor(
		api: ApiClient,
		warn: (line: string) => void,
		layout: Layout = threeOfThree,
		clockOffsets: ClockOffsets = {},
	) {
		this.#api = api;
		this.#warn = warn;
		this.kubelets = Object.entries(layout).flatMap(([zone, size]) =>
			Array.from({length: size}, (_, i) => {
				const name = `${zone}-${i + 1}`;
				return new FakeKubelet(api, name, region, zone, clockOffsets[name]);
			}),
		);
	}

	async register(): Promise<void> {
		await Promise.all(this.kubelets.map((kubelet) => kubelet.register()));
		await Promise.all(this.kubelets.map((kubelet) => kubelet.start()));
		void this.#api.watch<PodObject>('/api/v1/pods', (event) => this.#onPod(event), this.#end.signal);
	}

	namesIn(zone: string): string[] {
		return this.kubelets.filter((kubelet) => kubelet.zone === zone).map(({name}) => name);
	}

	/** Cuts the power of some nodes. */
	stop(names: readonly string[]): void {
		for (const kubelet of this.#select(names)) kubelet.stop();
	}

	/** Starts nodes again: first their heartbeats, then the pending changes of their pods. */
	async start(names: readonly string[]): Promise<void> {
		const kubelets = this.#select(names);
		await Promise.all(kubelets.map((kubelet) => kubelet.start()));
		for (const pod of this.#pods.values()) this.#sync(pod);
	}

	end(): void {
		this.#end.abort();
		for (const kubelet of this.kubelets) kubelet.stop();
	}

	#select(names: readonly string[]): FakeKubelet[] {
		return this.kubelets.filter(({name}) => names.includes(name));
	}

	#onPod({type, object: pod}: WatchEvent<PodObject>): void {
		if (type === 'DELETED') {
			this.#pods.delete(podName(pod));
		} else if (type !== 'ERROR') {
			this.#pods.set(podName(pod), pod);
			this.#sync(pod);
		}
	}

	#sync(pod: PodObject): void {
		const kubelet = this.kubelets.find(({name}) => name === pod.spec.nodeName);
		kubelet?.sync(pod).catch((error) => this.#warn(`${kubelet.name}: ${error}`));
	}
}
