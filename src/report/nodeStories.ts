import {type Lease, nodeLeaseNamespace} from '../core/model/lease.ts';
import {isReadyNode, type Node, readyCondition} from '../core/model/node.ts';
import {formatTaint, hasTaint, withoutPrefix} from '../core/model/taint.ts';
import {zoneKey, zoneLabel} from '../core/model/zone.ts';
import {noExecuteTaints} from '../core/tainteviction/taintEvictionController.ts';
import type {Instant} from '../core/time/instant.ts';
import type {AddEvent, Mutable, NodeStory} from './outage.ts';

export class NodeStories {
	readonly #renewals = new Map<string, Instant>();
	readonly #open = new Map<string, Mutable<NodeStory>>();
	readonly #stories: NodeStory[] = [];
	readonly #report: AddEvent;
	/** By the last forecast. */
	#silent: ReadonlySet<string> = new Set();

	/** @param report receives what happens to nodes, except of those that have a problem from the start */
	constructor(report: AddEvent) {
		this.#report = report;
	}

	/** All problems, in the order in which they began, including current ones. */
	get stories(): readonly NodeStory[] {
		return this.#stories;
	}

	renewed({namespace, name, renewTime}: Lease, at: Instant) {
		// At a first look, only the kubelet's clock dates the renewal.
		if (namespace === nodeLeaseNamespace) this.#renewals.set(name, Math.min(renewTime ?? at, at));
	}

	applied(before: Node | undefined, node: Node, at: Instant, isFirstLook: boolean) {
		const isNews = before !== undefined && !isFirstLook;
		this.#readiness(node, before, at, isNews);
		this.#taints(node, before, at, isNews);
		const story = this.#open.get(node.name);
		if (story && isWell(node) && !this.#silent.has(node.name)) {
			story.backAt = at;
			this.#open.delete(node.name);
		}
	}

	/** Takes in which nodes a forecast calls silent: others show no sign of that before their controller does. */
	noteSilent(silent: ReadonlySet<string>, nodeOf: (name: string) => Node | undefined, at: Instant) {
		this.#silent = silent;
		for (const name of silent) {
			const node = nodeOf(name);
			if (!node || this.#open.has(name)) continue;
			this.#storyOf(node);
			this.#report(at, 'node', `${name} is silent`);
		}
		for (const [name, story] of this.#open) {
			const node = nodeOf(name);
			if (silent.has(name) || !node || !isWell(node)) continue;
			story.backAt = at;
			this.#open.delete(name);
		}
	}

	gone(before: Node | undefined, name: string, at: Instant) {
		const story = this.#open.get(name);
		if (story) story.deletedAt = at;
		this.#open.delete(name);
		if (before) this.#report(at, 'node', `node ${name} is deleted`);
	}

	#readiness(node: Node, before: Node | undefined, at: Instant, isNews: boolean) {
		const [was, is] = [before, node].map((one) => one && readyCondition(one));
		if (was?.status === is?.status) return;
		if (is?.status === 'True') {
			if (isNews) this.#report(at, 'node', `${node.name} is Ready again`);
			return;
		}
		if (is === undefined) return;
		const story = this.#storyOf(node);
		// If the change was not observed, its time is taken from the API server.
		story.unreadyAt ??= isNews ? at : is.lastTransitionTime;
		story.ready = is.status === 'Unknown' ? 'Unknown' : 'False';
		const word = is.status === 'Unknown' ? 'turns Unknown' : 'is NotReady';
		if (isNews) this.#report(at, 'node', `${node.name} ${word}`);
	}

	#taints(node: Node, before: Node | undefined, at: Instant, isNews: boolean) {
		const [old, present] = [before ? noExecuteTaints(before) : [], noExecuteTaints(node)];
		const added = present.find((taint) => !hasTaint(old, taint));
		if (added) {
			const story = this.#storyOf(node);
			story.taintedAt ??= isNews ? at : (added.timeAdded ?? at);
			story.taint ??= formatTaint(added);
			if (isNews)
				this.#report(at, 'taint', `${node.name} gets the taint ${withoutPrefix(formatTaint(added))}`);
		}
		const removed = old.find((taint) => !hasTaint(present, taint));
		if (removed && present.length === 0)
			this.#report(at, 'taint', `${node.name} loses the taint ${withoutPrefix(formatTaint(removed))}`);
	}

	#storyOf(node: Node): Mutable<NodeStory> {
		const open = this.#open.get(node.name);
		if (open) return open;
		const story: Mutable<NodeStory> = {
			name: node.name,
			zone: zoneLabel(zoneKey(node)),
			lastRenewal: this.#renewals.get(node.name) ?? null,
			unreadyAt: null,
			ready: null,
			taintedAt: null,
			taint: null,
			backAt: null,
			deletedAt: null,
		};
		this.#open.set(node.name, story);
		this.#stories.push(story);
		return story;
	}
}

const isWell = (node: Node) => isReadyNode(node) && noExecuteTaints(node).length === 0;
