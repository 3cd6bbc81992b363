import {firstDifference} from '../compareActions.ts';
import type {Action} from '../vector.ts';
import {hasNode} from './machinePlayer.ts';
import {playClusterMachines} from './playClusterMachines.ts';
import {playMachines, writing} from './playMachines.ts';
import {playRepair} from './playScenario.ts';
import type {RepairVector} from './vector.ts';

/** Equal for equivalent actions. */
export const repairActionKey = ({kind, node = '', detail = ''}: Action): string => `${kind} ${node}${detail}`;

/** Plays a golden trace's scenario through the port; returns the first difference, or undefined. */
export function checkRepairVector({of, repairScenario, trace}: RepairVector): string | undefined {
	if (of.startsWith('karpenter-'))
		return firstDifference(trace, playRepair(repairScenario), repairActionKey, tolerance);
	const isOpenShift = of.startsWith('machineapi-');
	const played = isOpenShift ? playMachines(repairScenario) : playClusterMachines(repairScenario);
	// Cluster API reports its limit at each look after a machine's timeout, even for a machine without a node.
	const isCompared = ({kind, detail = '', at}: Action) =>
		kind === 'repair-blocked' ? isOpenShift : hasNode(repairScenario, detail, at);
	return firstDifference(trace.filter(isCompared), played, repairActionKey, isOpenShift ? inLine : tolerance);
}

/** In milliseconds. */
const tolerance = 10;
/** Two checks share one worker: a look waits for earlier ones, and also writes. */
const inLine = 3 * writing;
