import type {Observation} from '../../src/core/model/observation.ts';
import type {Scenario, ScenarioConfig, ScenarioPod, ScenarioStep} from './scenario/scenario.ts';
import {defaultConfig} from './scenarios.ts';

const fatal = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/** Tolerations of the controllers' own taints for this many seconds. */
const tolerating = (tolerationSeconds: number) =>
	fatal.map((key) => ({key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds}));

/** A pod of the default namespace. */
export const aScenarioPod = (name: string, node: string, seconds = 30): ScenarioPod => ({
	...{name, node, tolerations: tolerating(seconds)},
});

/** Two zones of four nodes, `a0` to `b3`, under controllers with default flags; the test defines the steps. */
export function aScenario(
	steps: readonly ScenarioStep[],
	{
		pods = [aScenarioPod('web', 'a0')],
		until = 160,
		...config
	}: Partial<ScenarioConfig> & {readonly pods?: readonly ScenarioPod[]; readonly until?: number} = {},
): Scenario {
	const names = ['a', 'b'].flatMap((zone) => [0, 1, 2, 3].map((index) => `${zone}${index}`));
	return {
		name: 'a shadow',
		config: {...defaultConfig, ...config},
		monitorPassDuration: 0.001,
		leaseRenewInterval: 10,
		nodeStatusReportInterval: 300,
		nodes: names.map((name, index) => ({
			...{name, labels: {'topology.kubernetes.io/zone': name.slice(0, 1)}, createdAt: -3600},
			leasePhase: index + 0.37,
		})),
		...{pods, steps, until},
	};
}

/** Observations of a cluster whose API server denies pod deletions. */
export const denied = (observation: Observation): readonly Observation[] => {
	if (observation.type === 'podDeleted') return [];
	if (observation.type !== 'podApplied') return [observation];
	const {deletionTimestamp: _, ...pod} = observation.pod;
	return [{type: 'podApplied', pod}];
};
