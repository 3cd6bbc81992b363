import type {ControllerSettings} from '../../../src/core/model/controllerSettings.ts';
import type {Node} from '../../../src/core/model/node.ts';
import {matchesTaint, type Taint} from '../../../src/core/model/taint.ts';
import type {ProcessSettings} from '../../../src/core/nodelifecycle/processSettings.ts';
import type {TimedEffect} from '../../../src/core/simulation/effect.ts';
import {withCondition} from '../../../src/core/simulation/nodeConditions.ts';
import {Simulation} from '../../../src/core/simulation/simulation.ts';
import type {SimulationOptions} from '../../../src/core/simulation/simulationOptions.ts';
import {type Duration, type Instant, second} from '../../../src/core/time/instant.ts';
import {Random} from '../../../src/core/time/random.ts';
import {CollectedSimulation} from '../podgc/collectedSimulation.ts';
import type {Scenario, ScenarioNode, ScenarioStep} from './scenario.ts';
import {instantOf, nodeOf, podOf, scenarioToleration, settingsOf, taintOf} from './scenarioObjects.ts';

/** The settings of the recorded golden traces: calls take a millisecond. */
export const recordedProcess: ProcessSettings = {
	callDuration: 1,
	passDuration: 1.3,
	noExecuteCallsTakeTime: false,
};

const defaultLeasePhase = 0.25;
/** The field manager of users. */
const user = 'kubectl-edit';

/** Properties of the machine that the scenario does not define. */
export type MachineTraits = {
	readonly patchesCutTimes?: boolean;
	readonly listsNodesInRandomOrder?: boolean;
	/** Whether marking a pod not ready takes the time of a call. */
	readonly podMarksTakeTime?: boolean;
	/** Whether the calls that taint nodes wait and take time like all others, as in real controllers. */
	readonly noExecuteCallsTakeTime?: boolean;
	/** How long the controllers' calls take. */
	readonly callDuration?: Duration;
	/** How long the controllers' cache takes to show a condition that they wrote. */
	readonly cacheDelay?: Duration;
	/** Whether the first passes of controllers that start may overlap, by chance. */
	readonly firstPassesMeet?: boolean;
	/** Whether the pod garbage collector runs with the other controllers. */
	readonly hasPodGc?: boolean;
	/** Which of the nodes that wait are tainted first, by the time at which they are queued: the lower ones; all are equal by default. */
	readonly rankOf?: (node: string, now: Instant) => number;
};

/** Plays a scenario file: the cluster, its kubelets, its controllers, and the scenario's steps. */
export class ScenarioPlayer {
	readonly simulation: Simulation;
	readonly #scenario: Scenario;
	readonly #start: Instant;
	readonly #steps: readonly ScenarioStep[];
	readonly #specs = new Map<string, ScenarioNode>();
	#nextStep = 0;
	/** The effects at the start, before the first call. */
	#first: readonly TimedEffect[];

	/**
	 * @param defaults the version's behaviour, for what the scenario's flags leave out
	 * @param onEvent receives each event that a controller posts
	 * @param traits of the machine: by default nodes are listed by name, and patches do not truncate times
	 */
	constructor(
		scenario: Scenario,
		defaults: ControllerSettings,
		seed = 1,
		start: Instant = 0,
		onEvent?: SimulationOptions['onEvent'],
		traits: MachineTraits = {},
	) {
		this.#scenario = scenario;
		this.#start = start;
		this.#steps = scenario.steps.toSorted((a, b) => a.at - b.at);
		const {patchesCutTimes = false, listsNodesInRandomOrder = false, hasPodGc = false} = traits;
		const {podMarksTakeTime = true, noExecuteCallsTakeTime = false} = traits;
		const {callDuration = recordedProcess.callDuration, cacheDelay = 0} = traits;
		const {firstPassesMeet = false} = traits;
		const passDuration = scenario.monitorPassDuration * second;
		const ofMachine = {
			callDuration,
			passDuration,
			listsNodesInRandomOrder,
			cacheDelay,
			podMarksTakeTime,
			noExecuteCallsTakeTime,
			firstPassesMeet,
		};
		const process = {...recordedProcess, ...ofMachine};
		const settings = settingsOf(scenario.config, defaults);
		const hasTaintEviction = settings.taintEviction;
		const parts = {settings, process, seed, now: start, hasTaintEviction, patchesCutTimes};
		const options = onEvent ? {...parts, onEvent} : parts;
		this.simulation = hasPodGc ? new CollectedSimulation(options) : new Simulation(options);
		this.#populate();
		const {rankOf} = traits;
		if (rankOf) this.simulation.setRandom(new Random(seed, (node) => rankOf(node, this.simulation.now)));
		this.#first = this.simulation.startControllers();
	}

	/** Advances to an instant, including its steps. */
	advanceTo(target: Instant): readonly TimedEffect[] {
		const effects = [...this.#first];
		this.#first = [];
		for (let step = this.#steps[this.#nextStep]; step; step = this.#steps[this.#nextStep]) {
			const at = instantOf(step.at, this.#start);
			if (at > target) break;
			this.#nextStep += 1;
			effects.push(...this.simulation.advanceTo(at), ...this.#do(step));
		}
		effects.push(...this.simulation.advanceTo(target));
		return effects;
	}

	#populate(): void {
		const {nodes, pods} = this.#scenario;
		for (const spec of nodes) {
			this.#specs.set(spec.name, spec);
			this.simulation.observe({
				type: 'nodeApplied',
				node: nodeOf(spec, this.#at(spec.createdAt ?? 0), this.#start),
			});
			if (!spec.noLease && spec.ready !== 'none') this.simulation.state.putLease(spec.name, this.#start);
		}
		for (const spec of pods) this.simulation.observe({type: 'podApplied', pod: podOf(spec, this.#start)});
		for (const [index, spec] of nodes.entries()) {
			const phase = spec.leasePhase ?? (index % 10) + defaultLeasePhase;
			if (!spec.silent) this.#startKubelet(spec, this.#at(phase), false);
		}
	}

	#do(step: ScenarioStep): readonly TimedEffect[] {
		const {simulation} = this;
		switch (step.do) {
			case 'stop-kubelet':
				simulation.stopKubelet(step.node);
				return [];
			case 'start-kubelet': {
				const spec = this.#specs.get(step.node);
				return spec ? this.#startKubelet(spec, simulation.now, true) : [];
			}
			case 'add-node':
				return this.#addNode(step.nodeSpec, step.at);
			case 'delete-node':
				simulation.stopKubelet(step.node);
				simulation.state.putLease(step.node, undefined);
				return simulation.observe({type: 'nodeDeleted', name: step.node});
			case 'add-pod':
				return simulation.observe({type: 'podApplied', pod: podOf(step.podSpec, simulation.now)});
			case 'delete-pod': {
				const [namespace = '', name = ''] = step.pod.split('/');
				return simulation.observe({type: 'podDeleted', namespace, name});
			}
			case 'sync-pods':
				return this.#syncPods(step.node);
			case 'set-tolerations': {
				const pod = simulation.state.pod(step.pod);
				const tolerations = (step.tolerations ?? []).map(scenarioToleration);
				return pod ? simulation.observe({type: 'podApplied', pod: {...pod, tolerations}}) : [];
			}
			case 'start-controllers':
				return simulation.startControllers();
			case 'stop-controllers':
				simulation.stopControllers();
				return [];
			case 'touch-lease':
				simulation.state.touchLease(step.node, simulation.now);
				return [];
			case 'delete-lease':
				simulation.state.putLease(step.node, undefined);
				return [];
			case 'snapshot':
				return [];
			default:
				return this.#editNode(step);
		}
	}

	#editNode(
		step: Extract<
			ScenarioStep,
			{do: 'cordon' | 'uncordon' | 'add-taint' | 'remove-taint' | 'set-condition' | 'set-labels'}
		>,
	): readonly TimedEffect[] {
		const {simulation} = this;
		return simulation.editNode(step.node, (node) => {
			switch (step.do) {
				case 'cordon':
					return this.#writtenAgain({...node, unschedulable: true});
				case 'uncordon':
					return this.#writtenAgain({...node, unschedulable: false});
				case 'add-taint':
					return this.#withTaints(node, [...node.taints, taintOf(step.taint)]);
				case 'remove-taint':
					return this.#withTaints(
						node,
						node.taints.filter((taint) => !matchesTaint(taint, step.taint)),
					);
				case 'set-condition': {
					const {type, status, reason} = step.condition;
					return withCondition(node, type, status, reason ?? '', simulation.now);
				}
				case 'set-labels':
					return this.#writtenAgain({...node, labels: step.labels ?? {}});
			}
		});
	}

	/** The list of taints is one field: its last writer owns all of it, and it has no owner once it is gone. */
	#withTaints(node: Node, taints: readonly Taint[]): Node {
		if (taints.length === node.taints.length) return node;
		const write = {manager: user, operation: 'Update', time: this.simulation.now};
		return {...node, taints, taintWrites: taints.length > 0 ? [write] : []};
	}

	/** A manager's entry has the time of the last change to any of its fields. */
	#writtenAgain(node: Node): Node {
		const {taintWrites = []} = node;
		const time = this.simulation.now;
		return {
			...node,
			taintWrites: taintWrites.map((write) => (write.manager === user ? {...write, time} : write)),
		};
	}

	#syncPods(node: string): readonly TimedEffect[] {
		const {simulation} = this;
		return simulation.state.podsOnNode(node).flatMap(({readyChangedAt: _, ...pod}) => {
			if (pod.deletionTimestamp !== undefined) return simulation.observe({type: 'podDeleted', ...pod});
			return pod.ready === 'True'
				? []
				: simulation.observe({type: 'podApplied', pod: {...pod, ready: 'True', readySince: simulation.now}});
		});
	}

	#addNode(spec: ScenarioNode, at: number): readonly TimedEffect[] {
		const {simulation} = this;
		this.#specs.set(spec.name, spec);
		const node = nodeOf(spec, this.#at(spec.createdAt || at), this.#start);
		const seen = simulation.observe({type: 'nodeApplied', node});
		if (spec.silent) return seen;
		const postsReady = spec.ready !== 'none' && spec.ready !== 'False';
		return [...seen, ...this.#startKubelet(spec, simulation.now, postsReady)];
	}

	#startKubelet(spec: ScenarioNode, firstRenewalAt: Instant, postsReady: boolean): readonly TimedEffect[] {
		const heartbeat = {
			firstRenewalAt,
			renewInterval: this.#scenario.leaseRenewInterval * second,
			statusInterval: this.#scenario.nodeStatusReportInterval * second,
			hasLease: !spec.noLease,
		};
		return this.simulation.startKubelet(spec.name, heartbeat, postsReady);
	}

	#at(seconds: number): Instant {
		return instantOf(seconds, this.#start);
	}
}
