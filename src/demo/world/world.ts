import {mapBy} from '../../core/collections/mapBy.ts';
import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {type Pod, podKey} from '../../core/model/pod.ts';
import {settingsFor} from '../../core/model/versionProfile.ts';
import type {TimedEffect} from '../../core/simulation/effect.ts';
import {Simulation} from '../../core/simulation/simulation.ts';
import {EventLoop} from '../../core/time/eventLoop.ts';
import {type Duration, type Instant, minute, never, second} from '../../core/time/instant.ts';
import {Random} from '../../core/time/random.ts';
import {encodeNamespace} from '../encode/encodeOthers.ts';
import type {DemoWorkload} from '../encode/workload.ts';
import type {DemoCluster} from './demoCluster.ts';
import {DemoKubelets} from './demoKubelets.ts';
import {EventLog} from './eventLog.ts';
import {type InitialCluster, makeInitialCluster} from './initialCluster.ts';
import {LeaderElection} from './leaderElection.ts';
import type {ObjectStore} from './objectStore.ts';
import type {DemoScenario, DemoStep} from './scenarios.ts';
import {SqueezedKubelets} from './squeezedKubelets.ts';
import {StateMirror} from './stateMirror.ts';
import {WorkloadControllers} from './workloadControllers.ts';

type WorldOptions = {
	/** When the demo begins; by then the cluster has been running for a while. */
	readonly now: Instant;
	/** The version in `/version` and of the kubelets, as in v1.36.3. It decides how the controllers behave. */
	readonly gitVersion: string;
	/** Decides what clients cannot observe: phases of passes and renewals, clock errors, the controllers' random choices. */
	readonly seed: number;
};

/** Long enough for every kubelet to renew, and for the passes after the controllers' start to end. */
const warmUp: Duration = 2 * minute;
const longestJitter: Duration = 10 * second;

/** How long calls and passes take on the demo's control plane; its clients cannot know. */
const demoProcess = {callDuration: 4, passDuration: 2.5, noExecuteCallsTakeTime: true};

/** A simulated cluster and its outage, written into a store as it happens: forecasts see only the store. */
export class World {
	readonly #cluster: DemoCluster;
	readonly #loop: EventLoop<(now: Instant) => void>;
	readonly #kubelets: DemoKubelets;
	readonly #leader: LeaderElection;
	readonly #pods: WorkloadControllers;
	readonly #squeezed: SqueezedKubelets;
	readonly #mirror: StateMirror;
	#isWarm = false;

	constructor(scenario: DemoScenario, store: ObjectStore, {now, gitVersion, seed}: WorldOptions) {
		const settings: ControllerSettings = {...settingsFor(gitVersion), ...scenario.settings};
		const random = new Random(seed);
		const bootAt = now - warmUp - random.next() * longestJitter;
		const initial = makeInitialCluster(scenario.size, scenario.flags ?? [], bootAt);
		const workloadOf = workloadIn(initial.workloads);
		const events = new EventLog(store);
		const simulation = new Simulation({
			...{settings, process: demoProcess, seed, now: bootAt, isClosed: true},
			onEvent: (event, postedAt) => events.post(event, postedAt),
		});
		const cluster: DemoCluster = {
			...{simulation, store, random, events, workloadOf},
			schedule: (dueAt, act) => this.#loop.schedule(dueAt, act),
			follow: (effects) => this.#follow(effects),
			putPod: (pod) => this.#follow(simulation.observe({type: 'podApplied', pod})),
			removePod: (pod) => this.#removePod(pod),
		};
		this.#cluster = cluster;
		this.#loop = new EventLoop(bootAt);
		this.#mirror = new StateMirror(cluster, gitVersion, bootAt);
		this.#leader = new LeaderElection(cluster);
		this.#kubelets = new DemoKubelets(cluster);
		this.#pods = new WorkloadControllers(cluster);
		this.#squeezed = new SqueezedKubelets(cluster, (...eviction) => this.#podEvicted(...eviction));
		this.#boot(initial);
		for (const step of scenario.steps) cluster.schedule(now + step.after, (dueAt) => this.#do(step, dueAt));
		this.advanceTo(now);
		this.#isWarm = true;
		this.#kubelets.show(now);
		this.#mirror.sync();
	}

	get now(): Instant {
		return this.#loop.now;
	}

	/** When something happens next; a driver may sleep until then. */
	get nextDueAt(): Instant {
		return Math.min(
			this.#cluster.simulation.nextDueAt ?? never,
			this.#loop.nextDueAt ?? never,
			this.#squeezed.nextDueAt,
		);
	}

	/** The answer of a node's kubelet through the API server; undefined if the kubelet is down or does not know the path. */
	kubeletAnswer(node: string, path: string): object | undefined {
		const isAlive = this.#cluster.simulation.kubelets.isAlive(node);
		return isAlive ? this.#squeezed.answer(node, path, this.now) : undefined;
	}

	/** Runs everything due up to and including an instant. */
	advanceTo(target: Instant): void {
		for (let due = this.nextDueAt; due <= target; due = this.nextDueAt) this.#moveTo(due);
		this.#moveTo(target);
	}

	#moveTo(instant: Instant): void {
		this.#follow(this.#cluster.simulation.advanceTo(instant));
		this.#loop.advanceTo(instant, (act, now) => act(now));
		this.#squeezed.advanceTo(instant);
		if (this.#isWarm) this.#mirror.sync();
	}

	#boot(initial: InitialCluster): void {
		const {now} = this.#cluster.simulation;
		const namespaces = ['default', 'kube-node-lease', ...initial.workloads.map(({namespace}) => namespace)];
		for (const name of new Set(namespaces))
			this.#cluster.store.put('namespaces', encodeNamespace(name, now - age));
		for (const node of initial.nodes) this.#cluster.simulation.observe({type: 'nodeApplied', node});
		for (const pod of initial.pods) this.#cluster.simulation.observe({type: 'podApplied', pod});
		for (const {name} of initial.nodes) this.#kubelets.start(name, false, now);
		this.#startControllers(now);
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
				this.#cluster.simulation.stopControllers();
				break;
		}
	}

	#startControllers(now: Instant): void {
		this.#leader.acquire(now);
		this.#cluster.events.startAnew();
		this.#follow(this.#cluster.simulation.startControllers());
	}

	#follow(effects: readonly TimedEffect[]): void {
		for (const {at, effect} of effects) {
			if (effect.type === 'podDeleted' && !effect.again) this.#podDeleted(effect.pod, at);
		}
	}

	#podDeleted(key: string, at: Instant): void {
		const terminating = this.#cluster.simulation.state.pod(key);
		const pod = terminating ?? this.#mirror.pod(key);
		if (pod) this.#pods.podDeleted(pod, terminating === undefined, at);
	}

	/** Ends an evicted pod, whose object stays, and lets its owner create another. */
	#podEvicted(pod: Pod, message: string, at: Instant): void {
		this.#mirror.evicted(pod, message, at);
		this.#cluster.events.reportOfKubelet(pod.nodeName, 'Evicted', message, at, podKey(pod));
		this.#cluster.putPod({...pod, phase: 'Failed', ready: 'False'});
		this.#pods.podEvicted(pod, at);
	}

	#removePod(pod: Pod): void {
		const {namespace, name} = pod;
		this.#follow(this.#cluster.simulation.observe({type: 'podDeleted', namespace, name}));
		this.#pods.podDeleted(pod, true, this.#cluster.simulation.now);
	}
}

/** Finds the workload of a pod: every pod has its name in the label `app`. */
function workloadIn(workloads: readonly DemoWorkload[]): DemoCluster['workloadOf'] {
	const byKey = mapBy(workloads, podKey);
	return (pod) => {
		const workload = byKey.get(podKey({namespace: pod.namespace, name: pod.labels['app'] ?? ''}));
		if (!workload) throw new RangeError(`a pod of no workload: ${podKey(pod)}`);
		return workload;
	};
}

const age: Duration = 30 * 24 * 60 * minute;
