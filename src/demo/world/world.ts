import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import type {NodeCondition} from '../../core/model/node.ts';
import {type Pod, podKey} from '../../core/model/pod.ts';
import {settingsFor} from '../../core/model/versionProfile.ts';
import type {TimedEffect} from '../../core/simulation/effect.ts';
import {Simulation} from '../../core/simulation/simulation.ts';
import {EventLoop} from '../../core/time/eventLoop.ts';
import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import {Random} from '../../core/time/random.ts';
import {encodeNamespace} from '../encode/encodeOthers.ts';
import type {DemoWorkload} from '../encode/workload.ts';
import {DemoKubelets, type KubeletEvent} from './demoKubelets.ts';
import {EventLog} from './eventLog.ts';
import {type InitialCluster, makeInitialCluster} from './initialCluster.ts';
import {LeaderElection, type LeaderEvent} from './leaderElection.ts';
import type {ObjectStore} from './objectStore.ts';
import type {DemoScenario, DemoStep} from './scenarios.ts';
import {SqueezedKubelets} from './squeezedKubelets.ts';
import {StateMirror} from './stateMirror.ts';
import {type PodEvent, WorkloadControllers} from './workloadControllers.ts';

type WorldOptions = {
	/** When the demo begins; by then the cluster has been running for a while. */
	readonly now: Instant;
	/** The version in `/version` and of the kubelets, as in v1.36.3. It decides how the controllers behave. */
	readonly gitVersion: string;
	/** Decides what clients cannot observe: phases of passes and renewals, clock errors, the controllers' random choices. */
	readonly seed: number;
};

type WorldEvent =
	| {readonly part: 'kubelets'; readonly event: KubeletEvent}
	| {readonly part: 'leader'; readonly event: LeaderEvent}
	| {readonly part: 'pods'; readonly event: PodEvent}
	| {readonly part: 'scenario'; readonly event: DemoStep};

/** Long enough for every kubelet to renew, and for the passes after the controllers' start to end. */
const warmUp: Duration = 2 * minute;
const longestJitter: Duration = 10 * second;

/** How long calls and passes take on the demo's control plane; its clients cannot know. */
const demoProcess = {callDuration: 4, passDuration: 2.5, noExecuteCallsTakeTime: true};

/** A simulated cluster and its outage, written into a store as it happens: forecasts see only the store. */
export class World {
	readonly #store: ObjectStore;
	readonly #simulation: Simulation;
	readonly #loop: EventLoop<WorldEvent>;
	readonly #workloads: ReadonlyMap<string, DemoWorkload>;
	readonly #kubelets: DemoKubelets;
	readonly #leader: LeaderElection;
	readonly #pods: WorkloadControllers;
	readonly #squeezed: SqueezedKubelets;
	readonly #events: EventLog;
	readonly #mirror: StateMirror;
	#isWarm = false;

	constructor(scenario: DemoScenario, store: ObjectStore, {now, gitVersion, seed}: WorldOptions) {
		const settings: ControllerSettings = {...settingsFor(gitVersion), ...scenario.settings};
		const random = new Random(seed);
		const bootAt = now - warmUp - random.next() * longestJitter;
		const initial = makeInitialCluster(scenario.size, settings, bootAt);
		const workloadOf = (pod: Pod) => this.#workloadOf(pod);
		const putPod = (pod: Pod) => this.#follow(this.#simulation.observe({type: 'podApplied', pod}));
		const removePod = (pod: Pod) => this.#removePod(pod);
		const events = new EventLog(store);
		const simulation = new Simulation({
			...{settings, process: demoProcess, seed, now: bootAt, isClosed: true},
			onEvent: (event, postedAt) => events.post(event, postedAt),
		});
		this.#store = store;
		this.#events = events;
		this.#simulation = simulation;
		this.#loop = new EventLoop(bootAt);
		this.#workloads = new Map(initial.workloads.map((workload) => [podKey(workload), workload]));
		this.#mirror = new StateMirror(store, workloadOf, gitVersion, bootAt);
		this.#leader = new LeaderElection(store, this.#schedule('leader'));
		this.#kubelets = new DemoKubelets({
			...{simulation, store, random, putPod, removePod},
			schedule: this.#schedule('kubelets'),
			startKubelet: (...kubelet) => this.#follow(simulation.startKubelet(...kubelet)),
		});
		this.#pods = new WorkloadControllers({
			...{simulation, workloadOf, putPod, removePod},
			schedule: this.#schedule('pods'),
		});
		this.#squeezed = new SqueezedKubelets({
			...{state: simulation.state, workloadOf, random},
			putCondition: (...change) => this.#putCondition(...change),
			podEvicted: (...eviction) => this.#podEvicted(...eviction),
			report: (...report) => events.reportOfKubelet(...report),
		});
		this.#boot(initial);
		for (const step of scenario.steps) this.#schedule('scenario')(now + step.after, step);
		this.advanceTo(now);
		this.#isWarm = true;
		this.#kubelets.show(now);
		this.#mirror.sync(simulation.state);
	}

	get now(): Instant {
		return this.#loop.now;
	}

	/** When something happens next; a driver may sleep until then. */
	get nextDueAt(): Instant {
		const [simulated, own] = [this.#simulation.nextDueAt, this.#loop.nextDueAt];
		return Math.min(
			simulated ?? Number.POSITIVE_INFINITY,
			own ?? Number.POSITIVE_INFINITY,
			this.#squeezed.nextDueAt,
		);
	}

	/** The answer of a node's kubelet through the API server; undefined if the kubelet is down or does not know the path. */
	kubeletAnswer(node: string, path: string): object | undefined {
		const isAlive = this.#simulation.kubelets.isAlive(node);
		return isAlive ? this.#squeezed.answer(node, path, this.now) : undefined;
	}

	/** Runs everything due up to and including an instant. */
	advanceTo(target: Instant): void {
		for (let due = this.nextDueAt; due <= target; due = this.nextDueAt) this.#moveTo(due);
		this.#moveTo(target);
	}

	#moveTo(instant: Instant): void {
		this.#follow(this.#simulation.advanceTo(instant));
		this.#loop.advanceTo(instant, (event, now) => this.#handle(event, now));
		this.#squeezed.advanceTo(instant);
		if (this.#isWarm) this.#mirror.sync(this.#simulation.state);
	}

	#boot(initial: InitialCluster): void {
		const {now} = this.#simulation;
		const namespaces = ['default', 'kube-node-lease', ...initial.workloads.map(({namespace}) => namespace)];
		for (const name of new Set(namespaces)) this.#store.put('namespaces', encodeNamespace(name, now - age));
		for (const node of initial.nodes) this.#simulation.observe({type: 'nodeApplied', node});
		for (const {pod} of initial.pods) this.#simulation.observe({type: 'podApplied', pod});
		for (const {name} of initial.nodes) this.#kubelets.start(name, false, now);
		this.#startControllers(now);
	}

	#handle(happening: WorldEvent, now: Instant): void {
		switch (happening.part) {
			case 'kubelets':
				this.#kubelets.handle(happening.event, now);
				break;
			case 'leader':
				this.#leader.handle(happening.event, now);
				break;
			case 'pods':
				this.#pods.handle(happening.event, now);
				break;
			case 'scenario':
				this.#do(happening.event, now);
				break;
		}
	}

	#do(step: DemoStep, now: Instant): void {
		switch (step.do) {
			case 'stopKubelets':
				for (const node of step.nodes) this.#kubelets.stop(node, now);
				break;
			case 'startKubelets':
				for (const node of step.nodes) this.#kubelets.start(node, true, now);
				break;
			case 'startControllers':
				this.#startControllers(now);
				break;
			case 'leak':
				this.#squeezed.squeeze(step.node, step.workload, step.mebibytesPerSecond, now);
				break;
			case 'stopControllers':
				this.#leader.abandon();
				this.#simulation.stopControllers();
				break;
		}
	}

	#startControllers(now: Instant): void {
		this.#leader.acquire(now);
		this.#events.startAnew();
		this.#follow(this.#simulation.startControllers());
	}

	#follow(effects: readonly TimedEffect[]): void {
		for (const {at, effect} of effects) {
			if (effect.type === 'podDeleted' && !effect.again) this.#podDeleted(effect.pod, at);
		}
	}

	#podDeleted(key: string, at: Instant): void {
		const terminating = this.#simulation.state.pod(key);
		const pod = terminating ?? this.#mirror.pod(key);
		if (pod) this.#pods.podDeleted(pod, terminating === undefined, at);
	}

	#putCondition(name: string, condition: NodeCondition): void {
		const node = this.#simulation.state.node(name)?.node;
		if (!node) return;
		const conditions = [...node.conditions.filter(({type}) => type !== condition.type), condition];
		this.#follow(this.#simulation.observe({type: 'nodeApplied', node: {...node, conditions}}));
	}

	/** Ends an evicted pod, whose object stays, and lets its owner create another. */
	#podEvicted(pod: Pod, message: string, at: Instant): void {
		this.#mirror.evicted(pod, message, at);
		this.#events.reportOfKubelet(pod.nodeName, 'Evicted', message, at, podKey(pod));
		this.#follow(
			this.#simulation.observe({type: 'podApplied', pod: {...pod, phase: 'Failed', ready: 'False'}}),
		);
		this.#pods.podEvicted(pod, at);
	}

	#removePod(pod: Pod): void {
		const {namespace, name} = pod;
		this.#follow(this.#simulation.observe({type: 'podDeleted', namespace, name}));
		this.#pods.podDeleted(pod, true, this.#simulation.now);
	}

	#workloadOf(pod: Pod): DemoWorkload {
		const workload = this.#workloads.get(podKey({namespace: pod.namespace, name: pod.labels['app'] ?? ''}));
		if (!workload) throw new RangeError(`a pod of no workload: ${podKey(pod)}`);
		return workload;
	}

	#schedule<Part extends WorldEvent['part']>(part: Part) {
		return (dueAt: Instant, event: Extract<WorldEvent, {part: Part}>['event']) =>
			this.#loop.schedule(dueAt, {part, event} as WorldEvent);
	}
}

const age: Duration = 30 * 24 * 60 * minute;

/** Every pod has its workload's name in the label `app`. */
