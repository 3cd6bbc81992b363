import {isReadyNode, isUnknownNode} from '../../core/model/node.ts';
import {notReadyTaint, type Taint, unreachableTaint} from '../../core/model/taint.ts';
import {merge} from '../conclude/merge.ts';
import {slackOf} from '../conclude/nodeTurn.ts';
import type {Interval} from '../observe/interval.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import type {Range} from '../range.ts';
import type {Run} from '../simulate/run.ts';
import type {Simulated} from '../simulate/simulated.ts';

/** The state of a node at the end of the runs: `isTainted`, `isGone` and `isControlled` hold in any run, the others in all. */
export type NodeEnd = Readonly<{
	isTainted: boolean;
	isBack: boolean;
	isNotReady: boolean;
	/** Whether its kubelet is silent, and no controller manager runs that could notice. */
	isUnnoticed: boolean;
	isGone: boolean;
	/** The taint that it has, or would have while it is not ready. */
	taint: Taint;
	isControlled: boolean;
	/** When it is first found not ready; null if it is so already, or never will be. */
	turnsAt: Range | null;
}>;

/** The state of a node at the end of all runs. */
export function nodeEndOf({node}: NodeEvidence, {runs, passes}: Simulated): NodeEnd {
	const isReady = isReadyNode(node);
	const trajectories = runs.flatMap(({trajectory}) => trajectory.nodes.get(node.name) ?? []);
	const isControlled = runs.some(({trajectory}) => trajectory.isControlled);
	const last = trajectories.map(({readiness}) => readiness.at(-1));
	return {
		isTainted: trajectories.some(({taints}) => (taints.at(-1)?.taints.length ?? 0) > 0),
		isBack: last.every((moment) => moment?.isReady ?? false),
		isNotReady: last.every((moment) => !(moment?.isReady ?? isReady)),
		taint: last.every((moment) => moment?.isUnknown ?? isUnknownNode(node))
			? unreachableTaint
			: notReadyTaint,
		isUnnoticed: !isControlled && trajectories.every(({isUnnoticed}) => isUnnoticed),
		isGone: trajectories.some(({goneAt}) => goneAt !== undefined),
		isControlled,
		turnsAt: isReady
			? merge(
					runs.map((run) => firstTurn(node.name, run)),
					slackOf(passes),
					runs,
				).range
			: null,
	};
}

/** When a node first turns not ready in a run. A pass that finds nodes silent may reach it at any of their turns. */
function firstTurn(node: string, {trajectory, unknown}: Run): Interval | undefined {
	const first = trajectory.nodes.get(node)?.readiness.find(({isReady}) => !isReady);
	if (first?.isUnknown) return unknown.get(node);
	return first && {lo: first.at, hi: first.at};
}
