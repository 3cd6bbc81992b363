import {kept} from '../core/collections/kept.ts';
import {type Demand, type PerPod, plus} from '../core/model/workloads/occupancy.ts';
import type {Controller, Related} from '../core/model/workloads/related.ts';
import type {NodeForecast} from '../forecast/nodeForecast.ts';
import type {PodForecast} from '../forecast/podForecast.ts';
import {type NewPod, type Placement, Placements} from './placement.ts';
import {Volumes, type VolumeWishes} from './volumes.ts';

/** Whether a pod is replaced on another node; bare, static and DaemonSet pods are not. */
export const isReplaced = ({verdict, owner}: PodForecast) =>
	verdict !== 'Safe' &&
	verdict !== 'Stays' &&
	owner !== undefined &&
	owner.kind !== 'Node' &&
	owner.kind !== 'DaemonSet';

/** Used for all pods of an owner, because their volumes may differ. */
const anywhere: VolumeWishes = {terms: [], isAll: false};

/** Finds where the replacements of a forecast's pods can run, once per owner. */
export class NewPods {
	readonly #placements: Placements;
	readonly #volumes: Volumes;
	readonly #related: Related;
	readonly #pods: readonly PodForecast[];
	readonly #known = new Map<string, Placement>();
	#demand: {readonly all: Demand | undefined} | undefined;

	constructor(pods: readonly PodForecast[], nodes: readonly NodeForecast[], related: Related) {
		this.#pods = pods;
		this.#related = related;
		this.#volumes = new Volumes(related);
		this.#placements = new Placements(nodes, related.occupancy);
	}

	/** Where a replacement of this pod finds a node; undefined if its owner's template is not known. */
	placementOf(pod: PodForecast): Placement | undefined {
		const owner = pod.owner && this.#related.controllers.get(pod.owner.uid);
		if (!owner) return undefined;
		// Pods with their own volumes are placed one by one.
		const kind = owner.claimTemplates.length > 0 ? pod.uid : owner.uid;
		return kept(this.#known, kind, () => {
			const newPod = this.#newPodOf(owner, pod, this.#volumes.wishesFor(pod, owner));
			return this.#placements.of(newPod, this.#othersThan(newPod));
		});
	}

	/** What is known of the pods of a pod's owner. */
	perPodOf({owner}: PodForecast): PerPod | undefined {
		const {occupancy} = this.#related;
		return typeof occupancy === 'string' || !owner ? undefined : occupancy.perPod.get(owner.uid);
	}

	/** Its requests are those of its owner's pods; admission may have changed those of the template. */
	#newPodOf({template}: Controller, pod: PodForecast, volumes: VolumeWishes): NewPod {
		const {priority = 0} = pod;
		return {template, requests: this.perPodOf(pod) ?? template.requests, priority, volumes};
	}

	/** The requests of all pods that may be scheduled before this one: pending ones, and other replacements. */
	#othersThan({requests}: NewPod): Demand | undefined {
		this.#demand ??= {all: this.#add()};
		const {all} = this.#demand;
		return all && {cpu: all.cpu - requests.cpu, memory: all.memory - requests.memory, pods: all.pods - 1};
	}

	#add(): Demand | undefined {
		const {occupancy, controllers} = this.#related;
		if (typeof occupancy === 'string') return undefined;
		const hopeless = new Map<string, boolean>();
		let all = occupancy.waiting;
		for (const pod of this.#pods) {
			if (!pod.owner || !isReplaced(pod)) continue;
			const {uid} = pod.owner;
			const requests = occupancy.perPod.get(uid);
			if (!requests) return undefined;
			const owner = controllers.get(uid);
			if (owner && !hopeless.has(uid))
				hopeless.set(uid, this.#placements.isHopeless(this.#newPodOf(owner, pod, anywhere)));
			if (!hopeless.get(uid)) all = plus(all, requests);
		}
		return all;
	}
}
