import {isReadyNode} from '../../core/model/node.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';
import {early, latency} from '../observe/latencies.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import type {Range} from '../podForecast.ts';
import type {Simulated} from '../simulate/simulated.ts';
import type {NodeTrajectory} from '../simulate/trajectory.ts';

/** How a node stands at the end of what was looked at: in all trajectories, or in none where they differ. */
export type NodeEnd = {
	readonly isTainted: boolean;
	readonly isBack: boolean;
	readonly isNotReady: boolean;
	readonly isGone: boolean;
	/** Whether a controller manager runs, in some trajectory. */
	readonly isControlled: boolean;
	/** When it is first found not ready; null where it is so already, or never is. */
	readonly turnsAt: Range | null;
};

/** How a node stands at the end of all runs. */
export function endOf({node}: NodeEvidence, {runs, passes}: Simulated): NodeEnd {
	const isReady = isReadyNode(node);
	const trajectories = runs.flatMap(({trajectory}) => trajectory.nodes.get(node.name) ?? []);
	const last = trajectories.map(({readiness}) => readiness.at(-1));
	return {
		isTainted: trajectories.some(({taints}) => (taints.at(-1)?.taints.length ?? 0) > 0),
		isBack: last.every((moment) => moment?.isReady ?? false),
		isNotReady: last.every((moment) => !(moment?.isReady ?? isReady)),
		isGone: trajectories.some(({goneAt}) => goneAt !== undefined),
		isControlled: runs.some(({trajectory}) => trajectory.isControlled),
		turnsAt: isReady ? rangeOf(trajectories.map(firstTurn), passes.gap) : null,
	};
}

const firstTurn = ({readiness}: NodeTrajectory): Instant | undefined =>
	readiness.find(({isReady}) => !isReady)?.at;

function rangeOf(turns: readonly (Instant | undefined)[], gap: Duration): Range | null {
	const known = turns.flatMap((at) => at ?? []).toSorted((a, b) => a - b);
	const [earliest, latest] = [known[0], known.at(-1)];
	if (earliest === undefined || latest === undefined) return null;
	const expected = known[known.length >> 1] ?? earliest;
	const isSure = known.length === turns.length;
	return {earliest: earliest - gap - early, expected, latest: isSure ? latest + gap + latency : null};
}
