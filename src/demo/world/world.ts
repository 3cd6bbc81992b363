import {mapBy} from '../../core/collections/mapBy.ts';
import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {podKey} from '../../core/model/pod.ts';
import {settingsFor} from '../../core/model/versionProfile.ts';
import type {TimedEffect} from '../../core/simulation/effect.ts';
import {Simulation} from '../../core/simulation/simulation.ts';
import {EventLoop} from '../../core/time/eventLoop.ts';
import {type Duration, type Instant, minute, never, second} from '../../core/time/instant.ts';
import {Random} from '../../core/time/random.ts';
import {encodeNamespace} from '../encode/encodeOthers.ts';
import type {DemoWorkload} from '../encode/workload.ts';
import type {DemoCluster} from './demoCluster.ts';
import {demoKubelets} from './demoKubelets.ts';
import {eventLog} from './eventLog.ts';
import {makeInitialCluster} from './initialCluster.ts';
import {leaderElection} from './leaderElection.ts';
import type {ObjectStore} from './objectStore.ts';
import type {DemoScenario, DemoStep} from './scenarios.ts';
import {squeezedKubelets} from './squeezedKubelets.ts';
import {stateMirror} from './stateMirror.ts';
import {workloadControllers} from './workloadControllers.ts';

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

/** The simulated cluster, and all that acts on it. */
function partsOf(scenario: DemoScenario, store: ObjectStore, {now, gitVersion, seed}: WorldOptions) {
	const settings: ControllerSettings = {...settingsFor(gitVersion), ...scenario.settings};
	const random = new Random(seed);
	const bootAt = now - warmUp - random.next() * longestJitter;
	const initial = makeInitialCluster(scenario.size, scenario.flags ?? [], bootAt);
	const events = eventLog(store);
	const simulation = new Simulation({
		settings,
		process: demoProcess,
		seed,
		now: bootAt,
		onEvent: (event, postedAt) => events.post(event, postedAt),
	});
	const loop = new EventLoop<(now: Instant) => void>(bootAt);
	const follow = (effects: readonly TimedEffect[]) => {
		for (const {at, effect} of effects) {
			if (effect.type !== 'podDeleted' || effect.again) continue;
			const terminating = simulation.state.pod(effect.pod);
			const pod = terminating ?? mirror.pod(effect.pod);
			if (pod) pods.podDeleted(pod, terminating === undefined, at);
		}
	};
	const cluster: DemoCluster = {
		simulation,
		store,
		random,
		events,
		follow,
		workloadOf: workloadIn(initial.workloads),
		schedule: (dueAt, act) => loop.schedule(dueAt, act),
		putPod: (pod) => follow(simulation.observe({type: 'podApplied', pod})),
		removePod: (pod) => {
			const {namespace, name} = pod;
			follow(simulation.observe({type: 'podDeleted', namespace, name}));
			pods.podDeleted(pod, true, simulation.now);
		},
	};
	const mirror = stateMirror(cluster, gitVersion, bootAt);
	const pods = workloadControllers(cluster);
	// An evicted pod ends, but its object stays, and its owner creates another.
	const squeezed = squeezedKubelets(cluster, (pod, message, at) => {
		mirror.evicted(pod, message, at);
		events.reportOfKubelet(pod.nodeName, 'Evicted', message, at, podKey(pod));
		cluster.putPod({...pod, phase: 'Failed', ready: 'False'});
		pods.podEvicted(pod, at);
	});
	const [leader, kubelets] = [leaderElection(cluster), demoKubelets(cluster)];
	return {initial, cluster, loop, mirror, leader, kubelets, squeezed};
}

type WorldParts = ReturnType<typeof partsOf>;

export type World = ReturnType<typeof demoWorld>;

/** A simulated cluster and its outage, written into a store as it happens: forecasts see only the store. */
export function demoWorld(scenario: DemoScenario, store: ObjectStore, options: WorldOptions) {
	const parts = partsOf(scenario, store, options);
	const {cluster, loop, mirror, kubelets, squeezed} = parts;
	const {simulation, follow} = cluster;
	let isWarm = false;

	const nextDueAt = () =>
		Math.min(simulation.nextDueAt ?? never, loop.nextDueAt ?? never, squeezed.nextDueAt);

	const moveTo = (instant: Instant) => {
		follow(simulation.advanceTo(instant));
		loop.advanceTo(instant, (act, at) => act(at));
		squeezed.advanceTo(instant);
		if (isWarm) mirror.sync();
	};

	/** Runs everything due up to and including an instant. */
	const advanceTo = (target: Instant) => {
		for (let due = nextDueAt(); due <= target; due = nextDueAt()) moveTo(due);
		moveTo(target);
	};

	boot(parts);
	const {now} = options;
	for (const step of scenario.steps) loop.schedule(now + step.after, (dueAt) => take(step, parts, dueAt));
	advanceTo(now);
	isWarm = true;
	kubelets.show(now);
	mirror.sync();

	return {
		get now(): Instant {
			return loop.now;
		},
		/** When something happens next; a driver may sleep until then. */
		get nextDueAt() {
			return nextDueAt();
		},
		/** The answer of a node's kubelet through the API server; undefined if the kubelet is down or does not know the path. */
		kubeletAnswer: (node: string, path: string): object | undefined =>
			simulation.kubelets.isAlive(node) ? squeezed.answer(node, path, loop.now) : undefined,
		advanceTo,
	};
}

/** Fills a cluster with what there is before the outage, and starts it. */
function boot(parts: WorldParts) {
	const {store, simulation} = parts.cluster;
	const {now} = simulation;
	const {nodes, pods, workloads} = parts.initial;
	const namespaces = ['default', 'kube-node-lease', ...workloads.map(({namespace}) => namespace)];
	for (const name of new Set(namespaces)) store.put('namespaces', encodeNamespace(name, now - age));
	for (const node of nodes) simulation.observe({type: 'nodeApplied', node});
	for (const pod of pods) simulation.observe({type: 'podApplied', pod});
	for (const {name} of nodes) parts.kubelets.start(name, false, now);
	startControllers(parts, now);
}

function take(step: DemoStep, parts: WorldParts, now: Instant) {
	const {cluster, kubelets, leader, squeezed} = parts;
	switch (step.do) {
		case 'stopKubelets':
			for (const node of step.nodes) kubelets.stop(node, now);
			break;
		case 'startKubelets':
			for (const node of step.nodes) kubelets.start(node, true, now);
			break;
		case 'startControllers':
			startControllers(parts, now);
			break;
		case 'leak':
			squeezed.squeeze(step.node, step.workload, step.mebibytesPerSecond, now);
			break;
		case 'stopControllers':
			leader.abandon();
			cluster.simulation.stopControllers();
			break;
	}
}

function startControllers({cluster, leader}: WorldParts, now: Instant) {
	leader.acquire(now);
	cluster.events.startAnew();
	cluster.follow(cluster.simulation.startControllers());
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
