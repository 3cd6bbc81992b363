import type {ControllerSettings} from '../../../src/core/model/controllerSettings.ts';
import type {Node} from '../../../src/core/model/node.ts';
import type {Observation} from '../../../src/core/model/observation.ts';
import type {Pod} from '../../../src/core/model/pod.ts';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {Simulation} from '../../../src/core/simulation/simulation.ts';
import {type Duration, type Instant, minute, second} from '../../../src/core/time/instant.ts';
import {aLeader, aNode, aPod, inZone} from '../../support/builders.ts';

/** A step of the outage. */
export type OutageStep = {readonly at: Instant} & (
	| {readonly do: 'stop' | 'start'; readonly nodes: readonly string[]}
	| {readonly do: 'restartControllers'}
);

export type Outage = {
	readonly settings: Partial<ControllerSettings>;
	/** The number of nodes in each zone: `{a: 3}` has a0, a1 and a2. */
	readonly zones: Readonly<Record<string, number>>;
	readonly podsPerNode: number;
	readonly tolerationSeconds?: number;
	readonly passDuration?: Duration;
	readonly steps: readonly OutageStep[];
	readonly until: Instant;
	readonly seed?: number;
};

/** Receives changes and their time of arrival. */
type Listener = (observations: readonly Observation[], arrivedAt: Instant) => void;

/** A watch delivers the changes of the last tenth of a second. */
const delivery: Duration = second / 10;
const leaderRenewal: Duration = 2 * second;

/** Plays an outage in the simulation, and passes a watching client's view of it to the listener. */
export function watchOutage(outage: Outage, listener: Listener): void {
	const world = populate(outage);
	const watch = new Watch(world);
	world.startControllers();
	let term = 0;
	let steps = outage.steps.toSorted((a, b) => a.at - b.at);
	for (let now = delivery; now <= outage.until; now += delivery) {
		const termBefore = term;
		for (let step = steps[0]; step && step.at <= now; step = steps[0]) {
			world.advanceTo(Math.max(step.at, world.now));
			if (step.do === 'restartControllers') {
				term += 1;
				world.stopControllers();
				world.startControllers();
			} else {
				for (const node of step.nodes) toggle(world, node, step.do, outage.seed ?? 1);
			}
			steps = steps.slice(1);
		}
		world.advanceTo(now);
		const observations = watch.changes();
		// A new leader has the lease before its controllers start.
		if (term !== termBefore || Math.round(now) % leaderRenewal === 0)
			observations.unshift(leaderLease(term, now));
		if (observations.length > 0) listener(observations, now);
	}
}

function populate({
	settings,
	zones,
	podsPerNode,
	tolerationSeconds,
	passDuration,
	seed = 1,
}: Outage): Simulation {
	const world = new Simulation({
		settings: {...defaultSettings, ...settings},
		process: {callDuration: 1, passDuration: passDuration ?? 1.3, noExecuteCallsTakeTime: true},
		seed,
		now: 0,
	});
	const toleration = {
		key: 'node.kubernetes.io/unreachable',
		operator: 'Exists',
		value: '',
		effect: 'NoExecute',
	};
	const tolerations = [{...toleration, tolerationSeconds: tolerationSeconds ?? 300}];
	for (const [zone, count] of Object.entries(zones)) {
		for (let index = 0; index < count; index += 1) {
			const name = `${zone}${index}`;
			world.observe({type: 'nodeApplied', node: aNode(name, {labels: inZone(zone)})});
			for (let pod = 0; pod < podsPerNode; pod += 1) {
				world.observe({type: 'podApplied', pod: aPod(`${name}-${pod}`, {nodeName: name, tolerations})});
			}
			world.startKubelet(name, heartbeat(name, seed, 0), false);
		}
	}
	return world;
}

// Each kubelet has its own phase of renewals.
const heartbeat = (node: string, seed: number, now: Instant) => ({
	firstRenewalAt: now + ((node.charCodeAt(0) * 7919 + Number(node.slice(1)) * 104_729 + seed * 31) % 9973),
	renewInterval: 10 * second,
	statusInterval: 5 * minute,
	hasLease: true,
});

function toggle(world: Simulation, node: string, what: 'stop' | 'start', seed: number): void {
	const isAlive = world.kubelets.isAlive(node);
	if (what === 'stop' && isAlive) world.stopKubelet(node);
	if (what === 'start' && !isAlive) {
		world.startKubelet(node, {...heartbeat(node, seed, world.now), firstRenewalAt: world.now}, true);
	}
}

/** The changes in a simulated cluster since the last call. */
class Watch {
	readonly #world: Simulation;
	#nodes = new Map<string, Node>();
	readonly #pods = new Map<string, Pod>();
	#renewals = new Map<string, Instant>();

	constructor(world: Simulation) {
		this.#world = world;
	}

	changes(): Observation[] {
		const {state, kubelets, now} = this.#world;
		const changes: Observation[] = [];
		for (const {node} of state.nodes()) {
			// A kubelet that stops at the instant of a renewal has renewed.
			const renewTime = kubelets.renewTime(node.name, now) ?? state.leaseRenewTime(node.name);
			if (renewTime !== undefined && this.#renewals.get(node.name) !== renewTime) {
				this.#renewals.set(node.name, renewTime);
				const lease = {namespace: 'kube-node-lease', name: node.name, renewTime};
				changes.push({type: 'leaseApplied', lease});
			}
			if (this.#nodes.get(node.name) !== node) changes.push({type: 'nodeApplied', node});
			this.#nodes.set(node.name, node);
		}
		return [...changes, ...this.#changedPods()];
	}

	#changedPods(): readonly Observation[] {
		const {state} = this.#world;
		const [changed, gone]: [Observation[], Observation[]] = [[], []];
		for (const key of state.takeChanges().pods) {
			const [pod, before] = [state.pod(key), this.#pods.get(key)];
			if (!pod && before) gone.push({type: 'podDeleted', namespace: before.namespace, name: before.name});
			if (pod && before !== pod) changed.push({type: 'podApplied', pod});
			if (pod) this.#pods.set(key, pod);
			else this.#pods.delete(key);
		}
		return [...changed, ...gone];
	}
}

function leaderLease(term: number, renewTime: Instant): Observation {
	return {type: 'leaseApplied', lease: aLeader(renewTime, term, {holderIdentity: `cp1_${term}`})};
}
