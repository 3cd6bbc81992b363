import {isControllerManagerLease} from '../../core/model/lease.ts';
import type {Node} from '../../core/model/node.ts';
import type {Observation} from '../../core/model/observation.ts';
import {type Pod, podKey} from '../../core/model/pod.ts';
import {hasTaint} from '../../core/model/taint.ts';
import {isSameTolerations} from '../../core/model/toleration.ts';
import {noExecuteTaints} from '../../core/tainteviction/taintEvictionController.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {Forecast} from '../forecast.ts';
import type {PodVerdict} from '../podForecast.ts';
import {endOf, type Promised, promiseOf, type Said, withDoubt, withPromise} from './promise.ts';

/** A deletion that was seen. */
export type Deletion = {
	readonly pod: Pod;
	readonly at: Instant;
	/** Undefined where nothing had been said. */
	readonly said: Said | undefined;
	/** Whether it is of the kind that is foretold: announced by the controller on a tainted node, or of a node that is gone. */
	readonly isEviction: boolean;
};

/** A countdown whose end passed without a deletion, though nothing changed. */
export type FalseAlarm = {readonly pod: Pod; readonly promised: Promised};

/** How long after its range a deletion is still waited for. */
const patience: Duration = 2 * second;
/** Verdicts that take back all that was said. */
const takesBack: readonly PodVerdict[] = ['Safe', 'Stays', 'Held'];

/**
 * Keeps what forecasts said of each pod, until its deletion is seen. A forecast holds if nothing else changes: what was
 * said is dropped once the leader, the pod's tolerations or a taint that its node had change, and where a later forecast
 * takes it back.
 */
export class Promises {
	readonly #onDeletion: (deletion: Deletion) => void;
	readonly #nodes = new Map<string, Node>();
	readonly #pods = new Map<string, Pod>();
	/** By UID: a pod that comes back is another one. */
	readonly #said = new Map<string, {readonly key: string; readonly said: Said}>();
	readonly #tried = new Set<string>();
	readonly #alarms = new Map<string, FalseAlarm>();
	#acquiredAt: Instant | undefined;
	#last: Forecast['pods'] | undefined;

	constructor(onDeletion: (deletion: Deletion) => void) {
		this.#onDeletion = onDeletion;
	}

	/** The false alarms whose pods are still there. */
	get falseAlarms(): readonly FalseAlarm[] {
		return [...this.#alarms.values()];
	}

	/** Takes in what a forecast says. */
	add({observedAt, pods}: Forecast): void {
		// The same list says nothing new, and is the older the better.
		if (pods !== this.#last) for (const pod of pods) this.#addOne(pod, observedAt);
		this.#last = pods;
		this.#findAlarms(observedAt);
	}

	/** Takes in what a watch brought. */
	observe(observations: readonly Observation[], at: Instant): void {
		for (const observation of observations) this.#observe(observation, at);
	}

	/** The world has changed: nothing that was said holds any more. */
	forget(): void {
		this.#said.clear();
		this.#last = undefined;
	}

	#addOne(pod: Forecast['pods'][number], madeAt: Instant): void {
		const known = this.#said.get(pod.uid);
		const made = promiseOf(pod, madeAt);
		if (made) this.#said.set(pod.uid, {key: podKey(pod), said: withPromise(known?.said, made)});
		else if (known && takesBack.includes(pod.verdict)) this.#drop(pod.uid);
		else if (known && pod.verdict === 'Unsure')
			this.#said.set(pod.uid, {...known, said: withDoubt(known.said)});
	}

	#findAlarms(now: Instant): void {
		for (const [uid, {key, said}] of this.#said) {
			const {scheduled: promised} = said;
			if (!promised || now <= endOf(promised) + patience || this.#tried.has(uid)) continue;
			const pod = this.#pods.get(key);
			if (pod?.uid === uid) this.#alarms.set(uid, {pod, promised});
		}
	}

	#observe(observation: Observation, at: Instant): void {
		switch (observation.type) {
			case 'nodeApplied':
				this.#applyNode(observation.node);
				break;
			case 'nodeDeleted':
				this.#nodes.delete(observation.name);
				this.#dropNode(observation.name);
				break;
			case 'podApplied':
				this.#applyPod(observation.pod, at);
				break;
			case 'podDeleted':
				this.#removePod(podKey(observation), at);
				break;
			case 'leaseApplied':
				if (isControllerManagerLease(observation.lease)) this.#applyLeader(observation.lease.acquireTime);
				break;
			case 'eventApplied':
				if (observation.event.reason === 'MarkingForDeletion') this.#tryOf(observation.event.about);
				break;
			case 'leaseDeleted':
			case 'eventDeleted':
				break;
		}
	}

	#applyNode(node: Node): void {
		const before = this.#nodes.get(node.name);
		this.#nodes.set(node.name, node);
		const old = before ? noExecuteTaints(before) : [];
		if (old.some((taint) => !hasTaint(node.taints, taint))) this.#dropNode(node.name);
	}

	#applyLeader(acquiredAt: Instant | undefined): void {
		if (this.#acquiredAt !== undefined && acquiredAt !== this.#acquiredAt) this.forget();
		this.#acquiredAt = acquiredAt;
	}

	/** Whether the deletion comes about is not for the forecast to know. */
	#tryOf(key: string): void {
		const uid = this.#pods.get(key)?.uid;
		if (uid !== undefined && this.#said.has(uid)) this.#tried.add(uid);
	}

	#applyPod(pod: Pod, at: Instant): void {
		const before = this.#pods.get(podKey(pod));
		this.#pods.set(podKey(pod), pod);
		if (before?.uid !== pod.uid || before.deletionTimestamp !== undefined) return;
		if (pod.deletionTimestamp !== undefined) this.#deleted(pod, at);
		else if (!isSameTolerations(before.tolerations, pod.tolerations)) this.#drop(pod.uid);
	}

	#removePod(key: string, at: Instant): void {
		const pod = this.#pods.get(key);
		this.#pods.delete(key);
		if (pod && pod.deletionTimestamp === undefined) this.#deleted(pod, at);
	}

	#deleted(pod: Pod, at: Instant): void {
		const node = this.#nodes.get(pod.nodeName);
		const said = this.#said.get(pod.uid)?.said;
		const isTainted = node !== undefined && noExecuteTaints(node).length > 0;
		// Of a node that is gone, the pod garbage collector removes the pods.
		const isEviction = node ? pod.evictedAt !== undefined && isTainted : said !== undefined;
		this.#onDeletion({pod, at, said, isEviction});
		this.#drop(pod.uid);
	}

	#dropNode(name: string): void {
		for (const pod of this.#pods.values()) if (pod.nodeName === name) this.#drop(pod.uid);
	}

	#drop(uid: string): void {
		this.#said.delete(uid);
		this.#tried.delete(uid);
		this.#alarms.delete(uid);
	}
}
