import type {Observation} from '../../core/model/observation.ts';
import type {Pod} from '../../core/model/pod.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {Decoder} from '../codec/decoder.ts';
import {podsOf, podsOnNode, type Resource} from '../transport/resource.ts';
import type {NodeChooser, Selection} from '../transport/selection.ts';
import {labelsOf} from './podCollections.ts';

/** Maximum number of nodes with their own watch. Beyond it, one watch of all other pods is added. */
export const maxWatches = 24;

export type Followed = {
	readonly listed: Promise<void>;
	readonly known: () => Iterable<string>;
};

type Follow = (resource: Resource<Pod>, signal: AbortSignal) => Followed;

type FollowedNode = {readonly followed: Followed; readonly end: AbortController; isListed: boolean};

/** Watches the pods of the nodes that a chooser names, as long as a node has pods: unwatched ones would look deleted. */
export class FollowedPods {
	readonly #chooser: NodeChooser;
	readonly #selection: Selection;
	readonly #decoder: Decoder;
	readonly #follow: Follow;
	readonly #nodes = new Map<string, FollowedNode>();
	#hasBegun = false;
	#isAll = false;
	#areOthersListed = false;

	constructor(chooser: NodeChooser, selection: Selection, decoder: Decoder, follow: Follow) {
		this.#chooser = chooser;
		this.#selection = selection;
		this.#decoder = decoder;
		this.#follow = follow;
	}

	/** Starts with the first state of nodes and leases. @returns whether there are pods to wait for */
	begin(observations: readonly Observation[], now: Instant, signal: AbortSignal): boolean {
		if (this.#hasBegun) return false;
		this.#hasBegun = true;
		return this.#followOnly(new Set(this.#chooser.first(observations, now)), signal);
	}

	update(now: Instant, signal: AbortSignal) {
		const isRead = (name: string) => this.#nodes.get(name)?.isListed ?? this.#areOthersListed;
		const wanted = new Set(this.#chooser.wanted(now, isRead));
		if (!this.#isAll) this.#followOnly(wanted, signal);
	}

	/** @returns whether any of the nodes is new */
	#followOnly(wanted: ReadonlySet<string>, signal: AbortSignal): boolean {
		this.#endAllBut(wanted);
		const fresh = [...wanted].filter((name) => !this.#nodes.has(name));
		if (fresh.length === 0) return false;
		const isTooMany = this.#nodes.size + fresh.length > maxWatches;
		// If pods are shown as they arrive, those of the lost nodes come first.
		const room = maxWatches - this.#nodes.size;
		const single = !isTooMany ? fresh : this.#selection.onProgress ? fresh.slice(0, room) : [];
		for (const name of single) this.#followNode(name, signal);
		if (isTooMany) this.#followAll(signal);
		return true;
	}

	#followNode(name: string, signal: AbortSignal) {
		const resource = podsOnNode(name, this.#decoder, labelsOf(this.#selection));
		const end = new AbortController();
		const followed = this.#follow(resource, AbortSignal.any([signal, end.signal]));
		const node: FollowedNode = {followed, end, isListed: false};
		this.#nodes.set(name, node);
		followed.listed.then(() => {
			node.isListed = true;
		});
	}

	/** Ends the watches of unwanted nodes without pods: node names may be new forever. */
	#endAllBut(wanted: ReadonlySet<string>) {
		for (const [name, {followed, end, isListed}] of this.#nodes) {
			if (wanted.has(name) || !isListed || !isEmpty(followed.known())) continue;
			end.abort();
			this.#nodes.delete(name);
		}
	}

	/**
	 * Watches all pods except those of individually watched nodes. Each pod is delivered by one watch only: the list of all
	 * pods takes many seconds and shows their state at its start, so it would undo later changes.
	 */
	#followAll(signal: AbortSignal) {
		this.#isAll = true;
		const pods = podsOf(undefined, this.#decoder, labelsOf(this.#selection));
		const decode = (raw: unknown) => {
			const pod = pods.decode(raw);
			return pod && this.#nodes.has(pod.nodeName) ? undefined : pod;
		};
		this.#follow({...pods, decode}, signal).listed.then(() => {
			this.#areOthersListed = true;
		});
	}
}

function isEmpty(keys: Iterable<string>) {
	for (const _ of keys) return false;
	return true;
}
