import type {Scenario, ScenarioNode, ScenarioPod, ScenarioStep} from '../../../support/scenario/scenario.ts';
import {Draw} from './draw.ts';

/**
 * Draws a zone or a cluster that fails under controllers with a throttled client: passes take seconds, and longer since
 * v1.37, which gets the lease of each silent node. Some or all nodes return.
 */
export function randomThrottled(seed: number): Scenario {
	const draw = new Draw(seed);
	const zones = ['a', 'b', 'c'].slice(0, 1 + draw.index(3));
	const nodes = zones.flatMap((zone, index) => {
		const size = index === 0 ? 8 + draw.index(32) : 3 + draw.index(12);
		return Array.from({length: size}, (_, n) => aNode(zone, n, index * 50 + n, draw));
	});
	const pods = nodes.flatMap(({name}): readonly ScenarioPod[] =>
		draw.oneIn(3)
			? [{name: `p-${name}`, node: name, tolerations: tolerationsFor(draw.of([300, 60, 0]))}]
			: [],
	);
	const until = 240 + draw.index(200);
	const dies = draw.oneIn(3) ? zones : zones.slice(0, 1);
	const dead = nodes.filter(({name}) => dies.some((zone) => name.startsWith(zone)) && !draw.oneIn(6));
	const [diesAt, returnsAt] = [30 + draw.index(30), 140 + draw.index(80)];
	const returning = draw.oneIn(3) ? [] : draw.oneIn(2) ? dead : dead.filter(() => draw.oneIn(3));
	return {
		name: `throttled-drawn-${seed}`,
		config: {
			nodeMonitorPeriod: 5,
			nodeStartupGracePeriod: 60,
			nodeMonitorGracePeriod: draw.of([50, 40]),
			nodeEvictionRate: draw.of([0.1, 0.5]),
			secondaryNodeEvictionRate: draw.of([0.01, 0.1]),
			largeClusterSizeThreshold: draw.of([50, 10]),
			unhealthyZoneThreshold: 0.55,
			...draw.of([
				{kubeApiQps: 20, kubeApiBurst: 30},
				{kubeApiQps: 10, kubeApiBurst: 15},
				{kubeApiQps: 5, kubeApiBurst: 10},
			]),
		},
		monitorPassDuration: 0.0013,
		leaseRenewInterval: 10,
		nodeStatusReportInterval: 300,
		nodes,
		pods,
		steps: [...each(dead, diesAt, 'stop-kubelet'), ...each(returning, returnsAt, 'start-kubelet')],
		until,
	};
}

const each = (
	nodes: readonly ScenarioNode[],
	at: number,
	what: 'stop-kubelet' | 'start-kubelet',
): readonly ScenarioStep[] =>
	nodes.map(({name}, index) => ({at: at + 0.37 + index * 0.011, do: what, node: name}));

const aNode = (zone: string, n: number, index: number, draw: Draw): ScenarioNode => ({
	name: `${zone}-${n}`,
	labels: {'topology.kubernetes.io/region': 'r1', 'topology.kubernetes.io/zone': zone},
	createdAt: -3600,
	// Separate from all others, so that no two heartbeats come at once.
	leasePhase: Math.floor(draw.below(9900)) / 1000 + 0.0137 + index * 0.00011,
});

const tolerationsFor = (tolerationSeconds: number) =>
	['not-ready', 'unreachable'].map((reason) => ({
		key: `node.kubernetes.io/${reason}`,
		operator: 'Exists' as const,
		effect: 'NoExecute' as const,
		tolerationSeconds,
	}));
