import type {RecordedEvent} from '../client/clusterApi.ts';
import type {ControllerSettings} from '../model/controllerSettings.ts';
import type {Node} from '../model/node.ts';
import type {Observation} from '../model/observation.ts';
import {type Pod, podKey} from '../model/pod.ts';
import {withKnownZoneLabels} from '../model/zone.ts';
import type {ProcessSettings} from '../nodelifecycle/processSettings.ts';
import {EventLoop} from '../time/eventLoop.ts';
import type {Instant} from '../time/instant.ts';
import {Random} from '../time/random.ts';
import {ClusterState} from './clusterState.ts';
import {
	type ControllerEvent,
	type ControllerProcess,
	forkProcess,
	newProcess,
	type ProcessWorld,
} from './controllerProcess.ts';
import {type ClusterEffect, nodeEffects, type TimedEffect} from './effect.ts';
import {type Heartbeat, Kubelets} from './kubelets.ts';
import {withHealthyStatus} from './nodeConditions.ts';
import {SimulatedApi} from './simulatedApi.ts';
import type {SimulationOptions} from './simulationOptions.ts';

/** A scheduled event: a controller's timer, a kubelet's post, or a change that informers deliver. */
type ScheduledEvent =
	| ControllerEvent
	| {readonly type: 'postStatus'; readonly node: string; readonly run: number}
	| {readonly type: 'nodeSeen'; readonly before: Node | undefined; readonly node: Node}
	| {readonly type: 'nodeGone'; readonly name: string}
	| {readonly type: 'podSeen'; readonly before: Pod | undefined; readonly pod: Pod}
	| {readonly type: 'podGone'; readonly key: string};

/**
 * The controllers and the cluster around them, in virtual time. The same calls in the same order have the same
 * effects. If upstream's order is random (which worker runs first, how a map is iterated), this takes one possible
 * order: by name, or by the seed.
 */
export class Simulation {
	readonly #options: SimulationOptions;
	#loop: EventLoop<ScheduledEvent>;
	#random: Random;
	#state = new ClusterState();
	#kubelets = new Kubelets();
	#api: SimulatedApi;
	#processes = 0;
	#controllers: ControllerProcess | undefined;
	#effects: TimedEffect[] = [];

	constructor(options: SimulationOptions) {
		this.#options = options;
		this.#loop = new EventLoop(options.now);
		this.#random = new Random(options.seed);
		this.#api = this.#makeApi();
	}

	get now(): Instant {
		return this.#loop.now;
	}

	/** When the next event is due; undefined if none is scheduled. */
	get nextDueAt(): Instant | undefined {
		return this.#loop.nextDueAt;
	}

	get state(): ClusterState {
		return this.#state;
	}

	get kubelets(): Kubelets {
		return this.#kubelets;
	}

	/** The running controllers; undefined while none run. */
	get controllers(): Pick<ControllerProcess, 'lifecycle' | 'eviction'> | undefined {
		return this.#controllers;
	}

	/** Applies an observation at the current instant; returns its immediate effects. */
	observe(observation: Observation): readonly TimedEffect[] {
		switch (observation.type) {
			case 'nodeApplied':
				this.#putNode(observation.node);
				break;
			case 'nodeDeleted':
				this.#state.deleteNode(observation.name);
				this.#notify({type: 'nodeGone', name: observation.name});
				break;
			case 'podApplied':
				this.#putPod(observation.pod);
				break;
			case 'podDeleted':
				this.#removePod(podKey(observation));
				break;
			case 'leaseApplied':
				this.#state.putLease(observation.lease.name, observation.lease.renewTime);
				break;
			case 'leaseDeleted':
				this.#state.putLease(observation.name, undefined);
				break;
			// The controllers do not read events or repair objects, and these three read no devices.
			default:
				break;
		}
		return this.advanceTo(this.now);
	}

	/** Fires everything due up to and including `target`, in order of due time, then of scheduling. */
	advanceTo(target: Instant): readonly TimedEffect[] {
		this.#loop.advanceTo(target, (event, now) => this.#handle(event, now));
		const effects = this.#effects;
		this.#effects = [];
		return effects;
	}

	/** Starts kube-controller-manager's controllers with empty state, optionally with other settings. */
	startControllers(
		settings = this.#options.settings,
		machine = this.#options.process,
	): readonly TimedEffect[] {
		const process = this.#newProcess(machine, settings);
		if (this.#hasTaintEviction) process.eviction.start(this.now);
		process.lifecycle.start(this.now);
		return this.advanceTo(this.now);
	}

	/** Creates controllers with nothing scheduled; the caller sets their state. @param process how long calls and passes take */
	adoptControllers(
		process = this.#options.process,
		settings = this.#options.settings,
	): Pick<ControllerProcess, 'lifecycle' | 'eviction'> {
		return this.#newProcess(process, settings);
	}

	/** Sets the source of randomness for controllers that are started from now on. */
	setRandom(random: Random) {
		this.#random = random;
	}

	/** Ends the controllers' process; work in progress is lost. */
	stopControllers() {
		this.#controllers = undefined;
	}

	/** Starts a node's kubelet; with `postsReady` it posts a healthy status at once. */
	startKubelet(node: string, heartbeat: Heartbeat, postsReady: boolean): readonly TimedEffect[] {
		const {run, postAt} = this.#kubelets.start(node, heartbeat, this.now);
		this.#loop.schedule(postAt, {type: 'postStatus', node, run});
		return postsReady
			? this.editNode(node, (old) => withHealthyStatus(old, this.now))
			: this.advanceTo(this.now);
	}

	/** Stops a node's kubelet: its lease stays as it is. */
	stopKubelet(node: string) {
		const renewTime = this.#kubelets.renewTime(node, this.now);
		if (renewTime !== undefined) this.#state.putLease(node, renewTime);
		this.#kubelets.stop(node);
	}

	/** Changes a node as another client would; controllers are notified. */
	editNode(name: string, change: (node: Node) => Node): readonly TimedEffect[] {
		const before = this.#state.node(name)?.node;
		if (before) {
			const after = change(before);
			for (const effect of nodeEffects(before, after)) this.#emit(effect);
			this.#putNode(after);
		}
		return this.advanceTo(this.now);
	}

	fork(): Simulation {
		const {onEvent: _, ...options} = this.#options;
		const copy = new Simulation(options);
		copy.#loop = this.#loop.fork();
		copy.#random = this.#random.fork();
		copy.#state = this.#state.fork();
		copy.#kubelets = this.#kubelets.fork();
		copy.#api = copy.#makeApi();
		copy.#processes = this.#processes;
		if (this.#controllers) copy.#controllers = forkProcess(this.#controllers, copy.#processWorld());
		return copy;
	}

	#newProcess(process: ProcessSettings, settings: ControllerSettings): ControllerProcess {
		this.#controllers = newProcess(this.#processes++, settings, process, this.#processWorld());
		return this.#controllers;
	}

	#processWorld(): ProcessWorld {
		return {
			api: this.#api,
			random: this.#random,
			schedule: (at, event) => this.#loop.schedule(at, event),
		};
	}

	#makeApi(): SimulatedApi {
		return new SimulatedApi(this.#state, this.#kubelets, this.#options, {
			now: () => this.now,
			emit: (effect) => this.#emit(effect),
			putNode: (node) => this.#putNode(node),
			putPod: (pod, key) => this.#putPod(pod, key),
			removePod: (pod) => this.#removePod(podKey(pod)),
			eventPosted: (event) => this.#eventPosted(event),
		});
	}

	#handle(event: ScheduledEvent, now: Instant) {
		if (event.type === 'postStatus') {
			this.#postStatus(event.node, event.run);
			return;
		}
		const controllers = this.#controllers;
		if (!controllers) return;
		const {id, lifecycle, eviction} = controllers;
		switch (event.type) {
			case 'lifecycle':
				if (event.process === id) lifecycle.wake(event.wake, now);
				break;
			case 'eviction':
				if (event.process === id) eviction.wake(event.wake, now);
				break;
			case 'nodeSeen':
				if (this.#hasTaintEviction) eviction.nodeChanged(event.before, event.node, now);
				lifecycle.nodeChanged(event.node.name, now);
				break;
			case 'nodeGone':
				lifecycle.nodeDeleted(event.name);
				eviction.nodeDeleted(event.name);
				break;
			case 'podSeen':
				if (this.#hasTaintEviction) eviction.podChanged(event.before, event.pod, now);
				if (event.before?.nodeName !== event.pod.nodeName) lifecycle.podBound(event.pod, now);
				break;
			case 'podGone':
				eviction.podDeleted(event.key, now);
				break;
		}
	}

	get #hasTaintEviction() {
		return this.#options.hasTaintEviction ?? true;
	}

	/** Delivers a change to the controllers' informers at this instant, after the work in progress. */
	#notify(event: ScheduledEvent) {
		this.#loop.schedule(this.now, event);
	}

	#emit(effect: ClusterEffect) {
		this.#effects.push({at: this.now, effect});
	}

	#eventPosted(event: RecordedEvent) {
		this.#options.onEvent?.(event, this.now);
		const {reason, about} = event;
		if (reason !== 'CancellingDeletion' || this.#controllers?.reportedCancelled.has(about)) return;
		this.#controllers?.reportedCancelled.add(about);
		this.#emit({type: 'evictionCancelled', pod: about});
	}

	#putNode(given: Node) {
		const node = withKnownZoneLabels(given, this.#options.settings);
		const before = this.#state.node(node.name)?.node;
		this.#state.putNode(node);
		this.#notify({type: 'nodeSeen', before, node});
	}

	#putPod(pod: Pod, key?: string) {
		const before = this.#state.putPod(pod, key);
		// Others do not act on a pod that stays on its node.
		if (this.#hasTaintEviction || before?.nodeName !== pod.nodeName)
			this.#notify({type: 'podSeen', before, pod});
	}

	#removePod(key: string) {
		this.#state.deletePod(key);
		this.#notify({type: 'podGone', key});
	}

	#postStatus(name: string, run: number) {
		const node = this.#state.node(name)?.node;
		const nextAt = this.#kubelets.posted(name, run, this.now);
		if (!node || nextAt === undefined) return;
		const conditions = node.conditions.map((condition) => ({...condition, lastHeartbeatTime: this.now}));
		this.#putNode({...node, conditions});
		this.#loop.schedule(nextAt, {type: 'postStatus', node: name, run});
	}
}
