import {Random} from '../../../src/core/time/random.ts';
import type {DrawnOutage} from './drawnOutage.ts';

/**
 * Draws the failure of a large zone, in part or as a whole, with other zones beside it. Nothing else happens in it: what is left open is
 * chance, the pace of a throttled client, and hidden flags.
 */
export function largeOutage(seed: number): DrawnOutage {
	const random = new Random(seed * 7919);
	random.next();
	const between = (least: number, most: number) => least + Math.floor(random.next() * (most - least + 1));
	const fraction = (least: number, most: number) =>
		Number((least + random.next() * (most - least)).toFixed(3));
	const oneOf = <Value>(...values: readonly [Value, ...Value[]]): Value =>
		values[between(0, values.length - 1)] ?? values[0];
	const sizes = {a: between(12, 60), b: between(3, 6), c: between(3, 6)};
	const isThrottled = between(0, 2) === 0;
	const podsPerNode = isThrottled ? between(8, 16) : between(1, 3);
	const config = {
		nodeMonitorPeriod: 5,
		nodeStartupGracePeriod: 60,
		nodeMonitorGracePeriod: oneOf(50, 50, 40, 30),
		nodeEvictionRate: oneOf(0.1, 0.1, 0.2, 0.5),
		secondaryNodeEvictionRate: oneOf(0.01, 0.05),
		largeClusterSizeThreshold: oneOf(50, 10, 10),
		unhealthyZoneThreshold: 0.55,
		...(isThrottled ? {kubeApiQps: oneOf(5, 10), kubeApiBurst: 10} : {kubeApiQps: 20, kubeApiBurst: 30}),
	};
	const nodes = Object.entries(sizes).flatMap(([zone, size]) =>
		Array.from({length: size}, (_, index) => ({
			name: `${zone}-${index + 1}`,
			labels: {'topology.kubernetes.io/region': 'eu', 'topology.kubernetes.io/zone': zone},
			createdAt: -3600,
			leasePhase: fraction(0, 9.9),
		})),
	);
	const tolerating = (tolerationSeconds: number) =>
		['not-ready', 'unreachable'].map((key) => ({
			...{key: `node.kubernetes.io/${key}`, operator: 'Exists', effect: 'NoExecute', tolerationSeconds},
		}));
	const pods = nodes.flatMap(({name}) =>
		Array.from({length: between(Math.ceil(podsPerNode / 2), podsPerNode)}, (_, index) => ({
			...{name: `${name}-pod-${index}`, namespace: 'shop', node: name},
			tolerations: oneOf(tolerating(20), tolerating(40), []),
		})),
	);
	const dying = oneOf(1, 1, 0.9, 0.7, 0.5, 0.3);
	const at = fraction(70, 100);
	const steps = nodes
		.filter(({name}) => name.startsWith('a-') && random.next() < dying)
		.map(({name}) => ({at: at + fraction(0, 2), do: 'stop-kubelet' as const, node: name}))
		.toSorted((a, b) => a.at - b.at);
	const hidesFlags = between(0, 4) === 0;
	return {
		seed,
		title: `${steps.length} of ${sizes.a} nodes of a zone${isThrottled ? '; throttled' : ''}${hidesFlags ? '; hidden flags' : ''}`,
		scenario: {
			name: `large-${seed}`,
			config,
			monitorPassDuration: 0.001,
			leaseRenewInterval: 10,
			nodeStatusReportInterval: 300,
			...{nodes, pods, steps},
			until: at + config.nodeMonitorGracePeriod + 600,
		},
		...{hidesFlags, clockOffsets: {}, stalls: [], pauses: [], taintsWait: true},
	};
}
