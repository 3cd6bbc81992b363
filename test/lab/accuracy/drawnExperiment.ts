import {setTimeout as sleep} from 'node:timers/promises';
import type {ControllerSettings} from '../../../src/core/model/controllerSettings.ts';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {second} from '../../../src/core/time/instant.ts';
import type {PodKinds} from '../../e2e/workload.ts';
import type {Scenario, ScenarioConfig, ScenarioStep} from '../../support/scenario/scenario.ts';
import {settingsOf} from '../../support/scenario/scenarioObjects.ts';
import type {DrawnOutage} from './drawnOutage.ts';
import type {Experiment, Laboratory} from './laboratory.ts';
import {changesZone} from './simulated.ts';

/**
 * A drawn outage for a real control plane. The laboratory's kubelets cannot report NotReady, and it adds no pods, so these
 * steps are left out.
 */
export function drawnExperiment(outage: DrawnOutage): Experiment {
	const {scenario, title, hidesFlags, clockOffsets, stalls, pauses} = outage;
	const {config, nodes, steps, pods} = scenario;
	const sizes = Map.groupBy(nodes, ({name}) => name.slice(0, 1));
	const podKinds: PodKinds = Object.fromEntries(
		pods.map(({name, tolerations}) => [name.replace(/^\w+-\d+-/, ''), tolerations ?? []]),
	);
	return {
		name: scenario.name,
		title,
		cluster: {
			layout: Object.fromEntries([...sizes].map(([zone, of]) => [zone, of.length])),
			...{podKinds, flags: flagsOf(config), clockOffsets},
		},
		...{settings: settingsGiven(config), hidesFlags},
		play: async (laboratory) => {
			const doing = new Doing(laboratory, nodes);
			// The cluster has already settled.
			const zero = Date.now() - Math.max(0, (steps[0]?.at ?? 0) - 5) * second;
			const until = (at: number) => sleep(Math.max(0, zero + at * second - Date.now()));
			const standing = (server: 'apiserver' | 'controller-manager', spans: DrawnOutage['stalls']) =>
				spans.map(async ({from, to}) => {
					await until(from);
					await laboratory.pause(server, (to - from) * second);
				});
			const done = [...standing('apiserver', stalls), ...standing('controller-manager', pauses)];
			for (const step of steps) {
				await until(step.at);
				await doing.do(step);
			}
			await Promise.all([...done, until(scenario.until)]);
		},
	};
}

/** Applies the steps of a drawn outage to a real cluster. */
class Doing {
	readonly #laboratory: Laboratory;
	/** The taints that users added to each node, because each write replaces the whole list of a user's taints. */
	readonly #taints = new Map<string, readonly {readonly key: string; readonly effect: string}[]>();

	readonly #nodes: Scenario['nodes'];

	constructor(laboratory: Laboratory, nodes: Scenario['nodes']) {
		this.#laboratory = laboratory;
		this.#nodes = nodes;
	}

	async do(step: ScenarioStep): Promise<void> {
		switch (step.do) {
			case 'stop-kubelet':
				this.#laboratory.stop(step.node);
				break;
			case 'start-kubelet':
				await this.#laboratory.start(step.node);
				break;
			case 'start-controllers':
				await this.#laboratory.restartControllers();
				break;
			case 'add-taint':
				await this.#taint(step.node, [...(this.#taints.get(step.node) ?? []), step.taint]);
				break;
			case 'remove-taint': {
				const others = this.#taints.get(step.node) ?? [];
				await this.#taint(
					step.node,
					others.filter(({key}) => key !== step.taint.key),
				);
				break;
			}
			case 'set-labels':
				await this.#laboratory.label(step.node, step.labels ?? {}, changesZone(step, this.#nodes));
				break;
			case 'delete-node':
				await this.#laboratory.deleteNode(step.node);
				break;
		}
	}

	async #taint(
		node: string,
		taints: readonly {readonly key: string; readonly effect: string}[],
	): Promise<void> {
		this.#taints.set(node, taints);
		await this.#laboratory.taint(node, taints);
	}
}

const settingsGiven = (config: ScenarioConfig): Partial<ControllerSettings> => {
	const {kubeApiQps, kubeApiBurst} = {...settingsFor('v1.36.3'), ...config};
	return {...settingsOf(config, settingsFor('v1.36.3')), kubeApiQps, kubeApiBurst};
};

const flagsOf = (config: ScenarioConfig): readonly string[] => [
	`--node-monitor-period=${config.nodeMonitorPeriod}s`,
	`--node-monitor-grace-period=${config.nodeMonitorGracePeriod}s`,
	`--node-eviction-rate=${config.nodeEvictionRate}`,
	`--secondary-node-eviction-rate=${config.secondaryNodeEvictionRate}`,
	`--large-cluster-size-threshold=${config.largeClusterSizeThreshold}`,
	`--unhealthy-zone-threshold=${config.unhealthyZoneThreshold}`,
	...(config.kubeApiQps === undefined ? [] : [`--kube-api-qps=${config.kubeApiQps}`]),
	...(config.kubeApiBurst === undefined ? [] : [`--kube-api-burst=${config.kubeApiBurst}`]),
];
