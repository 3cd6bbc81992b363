import type {Scenario, ScenarioConfig, ScenarioNode} from '../../../support/scenario/scenario.ts';
import {Draw} from './draw.ts';
import {aPod, maintenance} from './randomPod.ts';
import {stepsOf} from './randomSteps.ts';

/** The features of a release. */
export type OutageKind = {
	/** Whether silent nodes are not tainted, and their pods deleted after a timeout. */
	readonly isLegacy: boolean;
	/** Whether zones use the labels of before v1.17. */
	readonly hasBetaLabels: boolean;
};

/**
 * Draws an outage: in a few zones kubelets stop and return, users taint, delete and label, and controllers restart. No two
 * steps are at one instant, because only chance would decide their order.
 */
export function randomOutage(seed: number, {isLegacy, hasBetaLabels}: OutageKind): Scenario {
	const draw = new Draw(seed);
	const prefix = hasBetaLabels ? 'failure-domain.beta.kubernetes.io' : 'topology.kubernetes.io';
	const labelsOf = (zone: string) => ({[`${prefix}/region`]: 'r1', [`${prefix}/zone`]: zone});
	const zones = ['a', 'b', 'c'].slice(0, 1 + draw.index(3));
	const nodes = zones.flatMap((zone, index) =>
		Array.from({length: 1 + draw.index(10)}, (_, n) =>
			aNode(`${zone}-${n}`, labelsOf(zone), index * 20 + n, draw),
		),
	);
	const pods = nodes.flatMap(({name}) =>
		Array.from({length: draw.index(4)}, (_, n) => aPod(`p${n}-${name}`, name, draw)),
	);
	const until = 400 + draw.index(500) + (isLegacy ? 300 : 0);
	return {
		name: `${isLegacy ? 'legacy-' : ''}drawn-${seed}`,
		config: {
			...aConfig(draw),
			// Never reached. With a rate limiter, marking pods takes time in the recorder, as it does in the port.
			...{kubeApiQps: 1000, kubeApiBurst: 1000},
			...(isLegacy
				? {podEvictionTimeout: draw.of([300, 120, 60, 20]), taintBasedEvictions: false}
				: hasBetaLabels && {taintBasedEvictions: true}),
		},
		monitorPassDuration: 0.0013,
		leaseRenewInterval: 10,
		nodeStatusReportInterval: draw.of([300, 300, 60]),
		nodes,
		pods,
		steps: stepsOf({nodes, pods, zones, labelsOf, until}, draw),
		until,
	};
}

function aConfig(draw: Draw): ScenarioConfig {
	return {
		nodeMonitorPeriod: draw.of([5, 5, 2, 7]),
		nodeStartupGracePeriod: draw.of([60, 60, 30]),
		nodeMonitorGracePeriod: draw.of([50, 40, 20]),
		nodeEvictionRate: draw.of([0.1, 0.1, 0.2, 1]),
		secondaryNodeEvictionRate: draw.of([0.01, 0.05, 0]),
		largeClusterSizeThreshold: draw.of([50, 5, 3, 0]),
		unhealthyZoneThreshold: draw.of([0.55, 0.55, 0.3, 0.8]),
	};
}

function aNode(name: string, labels: ScenarioNode['labels'], index: number, draw: Draw): ScenarioNode {
	return {
		name,
		labels: draw.oneIn(12) ? {} : {...labels},
		createdAt: -3600,
		// Separate from all others, so that no two heartbeats come at once.
		leasePhase: Math.floor(draw.below(9900)) / 1000 + 0.0137 + index * 0.00011,
		...(draw.oneIn(15) && {noLease: true}),
		...(draw.oneIn(20) && {unschedulable: true}),
		...(draw.oneIn(20) && {taints: [{key: maintenance, value: 'old', effect: 'NoSchedule' as const}]}),
	};
}
