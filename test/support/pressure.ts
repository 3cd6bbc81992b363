import type {TimedEvictionEffect} from '../../src/core/nodepressure/evictionEffect.ts';
import {EvictionLoop} from '../../src/core/nodepressure/evictionLoop.ts';
import type {EvictionWorld, Failure} from '../../src/core/nodepressure/evictionWorld.ts';
import type {GarbageCollection} from '../../src/core/nodepressure/fileSystemLayout.ts';
import type {NodePod, ResourceList} from '../../src/core/nodepressure/nodePod.ts';
import {parseQuantity} from '../../src/core/nodepressure/quantities/parseQuantity.ts';
import {int64Of} from '../../src/core/nodepressure/quantities/quantity.ts';
import type {NodeStats, PodStats, Summary} from '../../src/core/nodepressure/summary.ts';
import type {FileSystems} from '../../src/core/nodepressure/thresholds/containerFsThresholds.ts';
import {
	type EvictionConfig,
	evictionSettings,
} from '../../src/core/nodepressure/thresholds/evictionSettings.ts';
import {measuredIn} from '../../src/core/nodepressure/thresholds/observations.ts';
import type {Threshold} from '../../src/core/nodepressure/thresholds/threshold.ts';
import {type Duration, type Instant, second} from '../../src/core/time/instant.ts';

/** The bytes of a quantity such as `100Mi`. */
export const bytes = (text: string): bigint => int64Of(parseQuantity(text));

/** Parses the quantities of resources. */
export const amounts = (texts: Readonly<Record<string, string>> = {}): ResourceList =>
	Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, parseQuantity(text)]));

type ContainerTexts = {
	readonly requests?: Readonly<Record<string, string>>;
	readonly limits?: Readonly<Record<string, string>>;
};

/** A pod with one container, `app`. */
export function aNodePod(name: string, app: ContainerTexts = {}, fields: Partial<NodePod> = {}): NodePod {
	return {
		namespace: 'shop',
		name,
		uid: `uid-${name}`,
		isMirror: false,
		containers: [{name: 'app', requests: amounts(app.requests), limits: amounts(app.limits)}],
		initContainers: [],
		overhead: {},
		volumes: [],
		tolerations: [],
		...fields,
	};
}

/** Statistics of a pod with one container, `app`, and its memory usage. */
export function memoryStats(name: string, workingSet: string): PodStats {
	const memory = {workingSetBytes: bytes(workingSet)};
	return {uid: `uid-${name}`, memory, containers: [{name: 'app', memory}], volumes: []};
}

/** Statistics of a node with 8Gi of memory and this much available. */
export function memoryLeft(available: string, pods: readonly PodStats[] = []): Summary {
	const availableBytes = bytes(available);
	return {node: {memory: {availableBytes, workingSetBytes: bytes('8Gi') - availableBytes}}, pods};
}

/** A nodefs of 100Gi with this much available. */
export const nodeFs = (available: string): NodeStats => ({
	fs: {availableBytes: bytes(available), capacityBytes: bytes('100Gi')},
});

/** One file system for everything. */
export const singleFs: FileSystems = {hasDedicatedImageFs: false, hasDedicatedContainerFs: false};
export const dedicatedImageFs: FileSystems = {hasDedicatedImageFs: true, hasDedicatedContainerFs: false};
export const splitFs: FileSystems = {hasDedicatedImageFs: true, hasDedicatedContainerFs: true};

/** A node that returns what a test sets. */
export class ScriptedNode implements EvictionWorld {
	answer: Summary | Failure;
	pods: readonly NodePod[];
	layout: FileSystems | Failure = singleFs;
	/** From a kill to the pod's end; undefined for never. */
	termination: Duration | undefined = 0;
	cleanup: Duration = 0;
	/** The summary after the next garbage collections. */
	afterCollection: Summary | undefined;
	collectionError: string | undefined;
	readonly collections: GarbageCollection[] = [];
	choice = 0;
	#endsAt = new Map<string, Instant>();

	constructor(answer: Summary, pods: readonly NodePod[]) {
		this.answer = answer;
		this.pods = pods;
	}

	fileSystems() {
		return this.layout;
	}

	activePods(now: Instant) {
		return this.pods.filter((pod) => now < (this.#endsAt.get(pod.uid) ?? Number.POSITIVE_INFINITY));
	}

	measured() {
		return 'error' in this.answer ? this.answer : measuredIn(this.answer);
	}

	collectGarbage(what: GarbageCollection) {
		this.collections.push(what);
		if (this.afterCollection) this.answer = this.afterCollection;
		return this.collectionError === undefined ? undefined : {error: this.collectionError};
	}

	kill(pod: NodePod, _graceSeconds: number, now: Instant) {
		if (this.termination === undefined) return undefined;
		this.#endsAt.set(pod.uid, now + this.termination);
		return now + this.termination;
	}

	isCleanedUp(pod: NodePod, now: Instant) {
		return now >= (this.#endsAt.get(pod.uid) ?? Number.POSITIVE_INFINITY) + this.cleanup;
	}

	choose(candidates: readonly [Threshold, ...Threshold[]]) {
		return candidates[this.choice] ?? candidates[0];
	}

	fork(): ScriptedNode {
		const copy = new ScriptedNode({node: {}, pods: []}, this.pods);
		copy.answer = this.answer;
		copy.layout = this.layout;
		copy.termination = this.termination;
		copy.cleanup = this.cleanup;
		copy.choice = this.choice;
		copy.#endsAt = new Map(this.#endsAt);
		return copy;
	}
}

/** A manager on such a node, at instant 0; by default, no allocatable threshold is derived. */
export function evictionLoop(config: EvictionConfig, world: EvictionWorld): EvictionLoop {
	return new EvictionLoop(evictionSettings({enforceNodeAllocatable: [], ...config}), world, 0);
}

/** Effects as short lines: `20s killed shop/cart`. */
export function lines(effects: readonly TimedEvictionEffect[]): string[] {
	return effects.map(({at, effect}) => {
		const what = [`${at / second}s`, effect.type];
		if ('pod' in effect) what.push(effect.pod.name);
		if ('pods' in effect) what.push(effect.pods.map(({name}) => name).join('+'));
		if (effect.type === 'conditionChanged') what.push(`${effect.condition}=${effect.isTrue}`);
		if (effect.type === 'ranked') what.push(effect.order.map(({pod}) => pod.name).join('>'));
		if (effect.type === 'garbageCollected') what.push(effect.what);
		if ('resource' in effect) what.push(effect.resource);
		return what.join(' ');
	});
}
