import * as fc from 'fast-check';
import {inZone} from './builders.ts';
import type {Scenario, ScenarioConfig, ScenarioNode, ScenarioPod, ScenarioStep} from './scenario/scenario.ts';

/** The flags' defaults, in a scenario file's units, with unthrottled clients. */
export const defaultConfig: ScenarioConfig = {
	nodeMonitorPeriod: 5,
	nodeStartupGracePeriod: 60,
	nodeMonitorGracePeriod: 50,
	nodeEvictionRate: 0.1,
	secondaryNodeEvictionRate: 0.01,
	largeClusterSizeThreshold: 50,
	unhealthyZoneThreshold: 0.55,
};

/** A scenario of ten minutes in which nothing happens. */
export const aScenario = (fields: Partial<Scenario> = {}): Scenario => ({
	name: 'test',
	config: defaultConfig,
	monitorPassDuration: 0.0013,
	leaseRenewInterval: 10,
	nodeStatusReportInterval: 300,
	nodes: [],
	pods: [],
	steps: [],
	until: 600,
	...fields,
});

const nodeNames = ['n1', 'n2', 'n3', 'n4', 'n5', 'n6'];
const until = 240;

const nodeName = fc.constantFrom(...nodeNames);
const keys = ['node.kubernetes.io/unreachable', 'node.kubernetes.io/not-ready', 'gpu'];
const podNames = ['p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7'];

const toleration = fc.record(
	{
		key: fc.constantFrom('', ...keys),
		operator: fc.constant('Exists'),
		effect: fc.constantFrom('', 'NoExecute'),
		tolerationSeconds: fc.constantFrom(0, 3, 10, 30),
	},
	{requiredKeys: ['operator']},
);

const tolerations = fc.array(toleration, {maxLength: 3});

const nodeOf = (name: string): fc.Arbitrary<ScenarioNode> =>
	fc.record(
		{
			name: fc.constant(name),
			labels: fc.constantFrom('a', 'a', 'b').map(inZone),
			leasePhase: fc.integer({min: 0, max: 99}).map((tenths) => tenths / 10),
			ready: fc.constantFrom('True', 'True', 'True', 'False', 'Unknown', 'none'),
			silent: fc.constantFrom(false, false, false, true),
			unschedulable: fc.boolean(),
		},
		{requiredKeys: ['name', 'labels', 'leasePhase']},
	);

const podOf = (name: string): fc.Arbitrary<ScenarioPod> =>
	fc.record({name: fc.constant(name), node: nodeName, tolerations});

const taint = fc.record({
	key: fc.constantFrom(...keys),
	effect: fc.constantFrom('NoExecute' as const, 'NoExecute' as const, 'NoSchedule' as const),
});

const at = fc.integer({min: 0, max: until * 100}).map((hundredths) => hundredths / 100);
const pod = fc.constantFrom(...podNames).map((name) => `default/${name}`);
const status = fc.constantFrom('True' as const, 'False' as const, 'Unknown' as const);

const outage = fc.record({
	at,
	do: fc.constantFrom('stop-kubelet' as const, 'start-kubelet' as const),
	node: nodeName,
});

/** Steps that leave the set of nodes and the controllers as they are: no restart, no node that comes, goes or moves. */
const disturbance: fc.Arbitrary<ScenarioStep> = fc.oneof(
	outage,
	outage,
	fc.record({at, do: fc.constantFrom('cordon' as const, 'uncordon' as const), node: nodeName}),
	fc.record({at, do: fc.constantFrom('add-taint' as const, 'remove-taint' as const), node: nodeName, taint}),
	fc.record({at, do: fc.constant('set-tolerations' as const), pod, tolerations}),
	fc.record({at, do: fc.constant('delete-pod' as const), pod}),
	fc.record({at, do: fc.constant('add-pod' as const), podSpec: fc.constantFrom(...podNames).chain(podOf)}),
	fc.record({
		at,
		do: fc.constant('set-condition' as const),
		node: nodeName,
		condition: fc.record({type: fc.constantFrom('Ready', 'MemoryPressure'), status}),
	}),
);

const upheaval: fc.Arbitrary<ScenarioStep> = fc.oneof(
	fc.record({at, do: fc.constant('delete-node' as const), node: nodeName}),
	fc.record({at, do: fc.constant('add-node' as const), nodeSpec: fc.constantFrom('n7', 'n8').chain(nodeOf)}),
	fc.record({
		at,
		do: fc.constant('set-labels' as const),
		node: nodeName,
		labels: fc.constantFrom('a', 'c').map(inZone),
	}),
	fc.record({at, do: fc.constantFrom('stop-controllers' as const, 'start-controllers' as const)}),
);

const config = fc.record({
	nodeMonitorGracePeriod: fc.constantFrom(12, 20, 50),
	nodeStartupGracePeriod: fc.constantFrom(20, 60),
	nodeEvictionRate: fc.constantFrom(0, 0.05, 0.1, 1),
	largeClusterSizeThreshold: fc.constantFrom(2, 50),
	limits: fc.constantFrom({}, {}, {kubeApiQps: 1, kubeApiBurst: 2}, {kubeApiQps: 20, kubeApiBurst: 30}),
});

const scenarioOf = (step: fc.Arbitrary<ScenarioStep>): fc.Arbitrary<Scenario> =>
	fc
		.record({
			config,
			nodes: fc
				.integer({min: 1, max: 6})
				.chain((count) => fc.tuple(...nodeNames.slice(0, count).map(nodeOf))),
			pods: fc.integer({min: 0, max: 8}).chain((count) => fc.tuple(...podNames.slice(0, count).map(podOf))),
			steps: fc.array(step, {maxLength: 12}),
			nodeStatusReportInterval: fc.constantFrom(30, 300),
		})
		.map(({config: {limits, ...flags}, ...rest}) =>
			aScenario({...rest, config: {...defaultConfig, ...flags, ...limits}, until}),
		);

/** Small clusters in which kubelets stop and start, taints and tolerations change, and users interfere. */
export const calmScenario: fc.Arbitrary<Scenario> = scenarioOf(disturbance);

/** The same, with nodes that come, go and move between zones, and controllers that restart. */
export const anyScenario: fc.Arbitrary<Scenario> = scenarioOf(fc.oneof(disturbance, disturbance, upheaval));

/** Instants within such a scenario, in milliseconds, in order. */
export const instants: fc.Arbitrary<number[]> = fc
	.array(fc.integer({min: 0, max: until * 1000}), {minLength: 1, maxLength: 20})
	.map((times) => times.toSorted((a, b) => a - b));
