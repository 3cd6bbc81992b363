import type {Duration} from '../../../src/core/time/instant.ts';
import type {Scenario, ScenarioStep} from '../../support/scenario/scenario.ts';
import {
	crowdedKinds,
	Draw,
	happen,
	type Kind,
	kinds,
	podsOf,
	rareKinds,
	type Span,
	unreachable,
} from './drawnHappenings.ts';

/** Which kinds are mixed: frequent ones; also one or two rare ones; or several of all. */
export type Mix = 'often' | 'seldom' | 'crowded';

/** An outage that is drawn from a seed. */
export type DrawnOutage = {
	readonly seed: number;
	/** A description of its steps. */
	readonly title: string;
	readonly scenario: Scenario;
	/** Whether the controllers' flags are hidden from the forecaster. */
	readonly hidesFlags: boolean;
	/** How far each kubelet's clock is ahead; right clocks have no entry. */
	readonly clockOffsets: Readonly<Record<string, Duration>>;
	/** When the API server is stopped, in seconds; in the simulation its news is delivered at the end. */
	readonly stalls: readonly Span[];
	/** When the controller manager is stopped, in seconds: only on a real control plane. */
	readonly pauses: readonly Span[];
	/** How long after a whole second it begins; API times are truncated to seconds. */
	readonly beginsAt?: Duration;
	/** Whether taints wait for the controllers' client, as in real ones; only in the simulation. */
	readonly taintsWait?: boolean;
};

/** Draws a cluster of up to three zones, its flags, and two to nine kinds of steps. */
export function drawnOutage(seed: number, mix: Mix = 'often'): DrawnOutage {
	const draw = new Draw(seed);
	const config = {
		nodeMonitorPeriod: draw.oneOf([5, 5, 5, 2]),
		nodeStartupGracePeriod: 60,
		nodeMonitorGracePeriod: draw.oneOf([50, 50, 40, 30]),
		nodeEvictionRate: draw.oneOf([0.1, 0.1, 0.2, 0.5]),
		secondaryNodeEvictionRate: draw.oneOf([0.01, 0.05]),
		largeClusterSizeThreshold: draw.oneOf([50, 50, 2]),
		unhealthyZoneThreshold: draw.oneOf([0.55, 0.55, 0.3]),
		...(mix === 'crowded' && draw.between(0, 2) === 0
			? {kubeApiQps: 5, kubeApiBurst: 8}
			: {kubeApiQps: 20, kubeApiBurst: 30}),
	};
	const pods = draw.nodes.flatMap(({name}) => podsOf(name, draw));
	const some = (least: number, most: number, of: readonly [Kind, ...Kind[]]): readonly Kind[] =>
		Array.from({length: draw.between(least, most)}, () => draw.oneOf(of));
	const isCrowded = mix === 'crowded';
	const chosen: Kind[] = [
		'deaths',
		...(isCrowded ? some(1, 2, crowdedKinds) : []),
		...(mix === 'often' ? [] : some(isCrowded ? 2 : 1, isCrowded ? 3 : 2, rareKinds)),
		...some(isCrowded ? 2 : 1, mix === 'seldom' ? 2 : 3, kinds),
	];
	for (const kind of new Set(chosen))
		happen[kind](draw, draw.fraction(70, 190), config.nodeMonitorGracePeriod, pods);
	const steps = possibleSteps(draw.steps.toSorted((a, b) => a.at - b.at));
	const hidesFlags = draw.between(0, 9) === 0;
	return {
		seed,
		title: `${draw.nodes.length} nodes: ${chosen.join(', ')}${hidesFlags ? '; hidden flags' : ''}`,
		scenario: {
			name: `drawn-${seed}`,
			config,
			monitorPassDuration: 0.001,
			leaseRenewInterval: 10,
			nodeStatusReportInterval: 300,
			...{nodes: draw.nodes, pods, steps},
			until: Math.max(...steps.map(({at}) => at)) + config.nodeMonitorGracePeriod + 150,
		},
		hidesFlags,
		clockOffsets: draw.clockOffsets,
		stalls: draw.stalls,
		pauses: draw.pauses,
	};
}

/** Drops steps on deleted nodes, and repeated additions or removals of taints and starts or stops of controllers. */
function possibleSteps(steps: readonly ScenarioStep[]): readonly ScenarioStep[] {
	const gone = new Set<string>();
	const tainted = new Set<string>();
	let isControlled = true;
	return steps.filter((step) => {
		if (step.do === 'stop-controllers' || step.do === 'start-controllers') {
			const isPossible = isControlled === (step.do === 'stop-controllers');
			isControlled = step.do === 'start-controllers';
			return isPossible;
		}
		const node = step.do === 'add-pod' ? step.podSpec.node : 'node' in step ? step.node : '';
		if (step.do === 'add-node') return gone.delete(step.nodeSpec.name);
		if (gone.has(node)) return false;
		if (step.do === 'delete-node') gone.add(node);
		if (step.do !== 'add-taint' && step.do !== 'remove-taint') return true;
		const key = `${node} ${step.taint.key}`;
		if (step.do === 'remove-taint') return tainted.delete(key) || step.taint.key === unreachable;
		const isNew = !tainted.has(key);
		tainted.add(key);
		return isNew;
	});
}
