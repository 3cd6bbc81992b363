import {firstDifference} from '../compareActions.ts';
import type {Action} from '../vector.ts';
import {playRepair} from './playScenario.ts';
import type {RepairVector} from './vector.ts';

/** What makes two actions alike. */
export const repairActionKey = ({kind, node = '', detail = ''}: Action): string => `${kind} ${node}${detail}`;

/** Plays a golden trace's scenario through the port; returns the first difference, or undefined. */
export const checkRepairVector = ({repairScenario, trace}: RepairVector): string | undefined =>
	firstDifference(trace, playRepair(repairScenario), repairActionKey, tolerance);

/** In milliseconds. */
const tolerance = 10;
