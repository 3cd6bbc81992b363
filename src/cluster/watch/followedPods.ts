import type {Observation} from '../../core/model/observation.ts';
import type {Pod} from '../../core/model/pod.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {Decoder} from '../codec/decoder.ts';
import {podsOf, podsOnNode, type Resource} from '../transport/resource.ts';
import type {NodeChooser, Selection} from '../transport/selection.ts';
import {labelsOf} from './podCollections.ts';

/** How many nodes have a watch of their own. With one more, one watch of all other pods joins these. */
export const mostWatches = 24;

/** A collection that is being followed. */
export type Followed = {
	/** Resolves once it was listed. */
	readonly listed: Promise<void>;
	/** The keys of its objects. */
	readonly known: () => Iterable<string>;
};

type Follow = (resource: Resource<Pod>, signal: AbortSignal) => Followed;

/** The watch of one node's pods. */
type FollowedNode = {readonly followed: Followed; readonly end: AbortController; isListed: boolean};

/**
 * Watches the pods of the nodes that a chooser names, as it names them. A node once followed stays so while it has pods: a
 * watch costs next to nothing, and pods that are seen no more would look like pods that are gone.
 */
export class FollowedPods {
	readonly #chooser: NodeChooser;
	readonly #selection: Selection;
	readonly #decoder: Decoder;
	readonly #follow: Follow;
	readonly #nodes = new Map<string, FollowedNode>();
	#hasBegun = false;
	#isAll = false;

	constructor(selection: Selection, decoder: Decoder, follow: Follow) {
		if (selection.pods.type !== 'chosen') throw new Error('nobody chooses');
		this.#chooser = selection.pods.chooser;
		this.#selection = selection;
		this.#decoder = decoder;
		this.#follow = follow;
	}

	/** Begins with the first state of nodes and leases. Tells whether there are pods to wait for. */
	begin(observations: readonly Observation[], now: Instant, signal: AbortSignal): boolean {
		if (this.#hasBegun) return false;
		this.#hasBegun = true;
		return this.#followOnly(new Set(this.#chooser.first(observations, now)), signal);
	}

	/** Follows the pods of nodes that are wanted now and were not before. */
	update(now: Instant, signal: AbortSignal): void {
		if (!this.#isAll) this.#followOnly(new Set(this.#chooser.wanted(now)), signal);
	}

	/** @returns whether there are any that were not followed before */
	#followOnly(wanted: ReadonlySet<string>, signal: AbortSignal): boolean {
		this.#endAllBut(wanted);
		const fresh = [...wanted].filter((name) => !this.#nodes.has(name));
		if (fresh.length === 0) return false;
		const isTooMany = this.#nodes.size + fresh.length > mostWatches;
		// Who sees pods as they come sees first those that are lost.
		const room = mostWatches - this.#nodes.size;
		const single = !isTooMany ? fresh : this.#selection.onProgress ? fresh.slice(0, room) : [];
		for (const name of single) this.#followNode(name, signal);
		if (isTooMany) this.#followAll(signal);
		return true;
	}

	#followNode(name: string, signal: AbortSignal): void {
		const resource = podsOnNode(name, this.#decoder, labelsOf(this.#selection));
		const end = new AbortController();
		const followed = this.#follow(resource, AbortSignal.any([signal, end.signal]));
		const node: FollowedNode = {followed, end, isListed: false};
		this.#nodes.set(name, node);
		followed.listed.then(() => {
			node.isListed = true;
		});
	}

	/** Ends the watches of nodes that are not wanted any more and have no pods: nodes come and go under ever new names. */
	#endAllBut(wanted: ReadonlySet<string>): void {
		for (const [name, {followed, end, isListed}] of this.#nodes) {
			if (wanted.has(name) || !isListed || !isEmpty(followed.known())) continue;
			end.abort();
			this.#nodes.delete(name);
		}
	}

	/**
	 * A pod is told by one watch alone. Of two, the one that is behind would tell again what has changed since, or is gone: a
	 * list of all pods takes many seconds, and shows how they were when it began.
	 */
	#followAll(signal: AbortSignal): void {
		this.#isAll = true;
		const pods = podsOf(undefined, this.#decoder, labelsOf(this.#selection));
		const decode = (raw: unknown) => {
			const pod = pods.decode(raw);
			return pod && this.#nodes.has(pod.nodeName) ? undefined : pod;
		};
		this.#follow({...pods, decode}, signal);
	}
}

function isEmpty(keys: Iterable<string>): boolean {
	for (const _ of keys) return false;
	return true;
}
