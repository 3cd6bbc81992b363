import {type Duration, minute} from '../../src/core/time/instant.ts';
import {Random} from '../../src/core/time/random.ts';
import type {Scenario, ScenarioNode, ScenarioPod, ScenarioStep} from './scenario/scenario.ts';

/** An outage, and the instant (in seconds) after which nothing more is scripted. */
export type Outage = {
	readonly scenario: Scenario;
	readonly forecastAt: number;
	/** How far each kubelet's clock is ahead; undefined if the clocks are right. */
	readonly clockOffset: ((node: string) => Duration) | undefined;
};

const notReady = 'node.kubernetes.io/not-ready';
const unreachable = 'node.kubernetes.io/unreachable';

/** What is drawn for an outage. */
export type OutageOptions = {
	/** Whether users taint nodes; their taints have no time. */
	readonly hasUserTaints?: boolean;
	readonly isThrottled?: boolean;
	/** Whether only the API server's clock, which has whole seconds, is right; passes may be further apart. */
	readonly hasWrongClocks?: boolean;
	/** Whether the controller manager restarts during the outage. */
	readonly hasRestart?: boolean;
	/** Whether silent nodes are not tainted: their pods are deleted after a timeout. */
	readonly withoutTaints?: boolean;
	/** Whether zones use the old beta labels, as in v1.16. */
	readonly hasBetaLabels?: boolean;
	/** Whether kubelets have no leases, and post their status every ten seconds instead. */
	readonly hasNoLeases?: boolean;
	/** Whether a user writes leases of nodes that just became silent, without renewing them. */
	readonly touchesLeases?: boolean;
	/** Whether many kubelets stop together at the end, and the look comes while passes are still detecting them. */
	readonly endsInBurst?: boolean;
};

/** Draws an outage of a few zones from a seed: kubelets stop and return, alone and together. */
export function outageOf(seed: number, options: OutageOptions): Outage {
	const {hasUserTaints = false, isThrottled = false, hasWrongClocks = false, hasRestart = false} = options;
	const {withoutTaints = false, hasBetaLabels = false, hasNoLeases = false} = options;
	const zoneLabel = hasBetaLabels ? 'failure-domain.beta.kubernetes.io/zone' : 'topology.kubernetes.io/zone';
	const random = new Random(seed);
	const below = (n: number) => Math.floor(random.next() * n);
	const oneOf = <T>(items: readonly [T, ...T[]]): T => items[below(items.length)] ?? items[0];
	const nodes: ScenarioNode[] = [];
	const pods: ScenarioPod[] = [];
	const zones = 1 + below(3);
	for (let zone = 0; zone < zones; zone += 1) {
		const size = 1 + below(8);
		for (let index = 0; index < size; index += 1) {
			const name = `${'abc'[zone]}${index}`;
			const labels = {[zoneLabel]: `${'abc'[zone]}`};
			const noLease = hasNoLeases ? {noLease: true} : {};
			nodes.push({name, labels, createdAt: -3600, leasePhase: below(9900) / 1000 + 0.0137, ...noLease});
			for (let pod = below(4); pod > 0; pod -= 1) {
				const seconds = oneOf([undefined, 0, 7, 30, 60, 300]);
				const limit = seconds === undefined ? {} : {tolerationSeconds: seconds};
				const both = [notReady, unreachable].map((key) => ({
					key,
					operator: 'Exists',
					effect: 'NoExecute',
					...limit,
				}));
				const user =
					hasUserTaints && below(2)
						? [{key: 'maintenance', operator: 'Exists', tolerationSeconds: below(90)}]
						: [];
				pods.push({
					name: `p${pod}-${name}`,
					node: name,
					...(withoutTaints && below(4) === 0 ? {ownerKind: 'DaemonSet', labels: {app: 'agent'}} : {}),
					tolerations: below(6) === 0 ? [] : [...both, ...user],
				});
			}
		}
	}
	const until = 250 + below(300);
	const steps: ScenarioStep[] = [];
	const alive = new Set(nodes.map(({name}) => name));
	const times = Array.from({length: 3 + below(12)}, () => 15 + random.next() * (until - 60)).toSorted(
		(a, b) => a - b,
	);
	for (const at of times) {
		const node = oneOf([nodes[0]?.name ?? '', ...nodes.map(({name}) => name)]);
		const kind = below(hasUserTaints ? 8 : 6);
		if (kind === 0) {
			for (const [index, one] of nodes.filter(({name}) => name[0] === node[0]).entries()) {
				if (alive.delete(one.name)) steps.push({at: at + index * 0.011, do: 'stop-kubelet', node: one.name});
			}
		} else if (kind === 1 && alive.has(node)) {
			steps.push({at, do: 'set-condition', node, condition: {type: 'Ready', status: 'False'}});
		} else if (kind >= 6) {
			const taint = {key: 'maintenance', effect: 'NoExecute' as const};
			steps.push({at, do: below(3) ? 'add-taint' : 'remove-taint', node, taint});
		} else if (alive.delete(node)) {
			steps.push({at, do: 'stop-kubelet', node});
		} else {
			alive.add(node);
			steps.push({at, do: 'start-kubelet', node});
		}
	}
	if (options.touchesLeases) {
		for (const step of [...steps]) {
			if (step.do !== 'stop-kubelet' || below(2) === 0) continue;
			steps.push({at: step.at + 1.123 + below(15), do: 'touch-lease', node: step.node});
		}
		steps.sort((a, b) => a.at - b.at);
	}
	if (hasRestart) {
		const restart = 30 + random.next() * (until - 60);
		steps.push(
			{at: restart, do: 'stop-controllers'},
			{at: restart + random.next() * 20, do: 'start-controllers'},
		);
	}
	if (options.endsInBurst) {
		const burst = Math.max(...steps.map(({at}) => at), 20) + 1 + random.next() * 60;
		const [share, within] = [oneOf([0.4, 0.7, 1]), oneOf([0.1, 3, 12])];
		for (const {name} of nodes)
			if (alive.has(name) && random.next() < share)
				steps.push({at: burst + random.next() * within, do: 'stop-kubelet', node: name});
		steps.sort((a, b) => a.at - b.at);
	}
	const last = Math.max(...steps.map(({at}) => at), 30);
	return {
		scenario: {
			name: `outage ${seed}`,
			config: {
				nodeMonitorPeriod: oneOf(hasWrongClocks ? [5, 9, 10] : [5, 5, 2]),
				nodeStartupGracePeriod: 60,
				nodeMonitorGracePeriod: oneOf([50, 40, 20]),
				nodeEvictionRate: oneOf([0.1, 0.1, 0.2]),
				secondaryNodeEvictionRate: oneOf([0.01, 0.02]),
				largeClusterSizeThreshold: oneOf([50, 5]),
				unhealthyZoneThreshold: oneOf([0.55, 0.3]),
				...(withoutTaints ? {taintBasedEvictions: false, podEvictionTimeout: oneOf([300, 120, 60])} : {}),
				...(isThrottled ? {kubeApiQps: 20, kubeApiBurst: 30} : {}),
			},
			monitorPassDuration: 0.0005 + random.next() * 0.002,
			leaseRenewInterval: 10,
			nodeStatusReportInterval: hasNoLeases ? 10 : 300,
			nodes,
			pods,
			steps,
			until,
		},
		// A stopped kubelet is not detectable until two renewals are missing.
		clockOffset: hasWrongClocks ? offsetsOf(seed, nodes) : undefined,
		forecastAt: last + 20.5 + random.next() * (options.endsInBurst ? oneOf([8, 40, 60]) : 120),
	};
}

function offsetsOf(seed: number, nodes: readonly ScenarioNode[]): (node: string) => Duration {
	const random = new Random(seed);
	const offsets = new Map(nodes.map(({name}) => [name, Math.round((random.next() - 0.5) * 10 * minute)]));
	return (node) => offsets.get(node) ?? 0;
}

/** The same outage with some nodes deleted for good, whose pods are left to the pod garbage collector. */
export function withDeletedNodes(scenario: Scenario, seed: number): Scenario {
	const random = new Random(seed + 7);
	const gone = new Map(
		scenario.nodes
			.filter(() => random.next() < 0.25)
			.map(({name}) => [name, 15 + random.next() * (scenario.until - 130)]),
	);
	const isPossible = (step: ScenarioStep) => !('node' in step) || step.at < (gone.get(step.node) ?? Infinity);
	const deletions = [...gone].map(([node, at]): ScenarioStep => ({at, do: 'delete-node', node}));
	return {...scenario, steps: [...scenario.steps.filter(isPossible), ...deletions]};
}
