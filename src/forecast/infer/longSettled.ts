import {isUnknownNode} from '../../core/model/node.ts';
import {taintUnreachable} from '../../core/model/taint.ts';
import type {Interval} from '../observe/interval.ts';
import {lifecycleTaint} from '../observe/nodes/lifecycleTaint.ts';
import {isSilent, mayLive} from '../observe/nodes/nodeLiveness.ts';
import type {ObservedState} from '../observe/observed.ts';

/** After this many periods, passes have done everything that they do to a node. */
const settledAfter = 4;

/** Whether passes have long done everything that they do to the affected nodes: the start of the next one changes nothing. */
export function isLongSettled({evidence, affected, settings, now}: ObservedState): boolean {
	const {nodes, deleted} = affected;
	const since = now - settledAfter * settings.nodeMonitorPeriod;
	const isOld = (at: Interval | undefined) => at !== undefined && at.hi < since;
	return (
		settings.taintBasedEvictions &&
		deleted.length === 0 &&
		evidence.controllersStarted.lo < since &&
		nodes.every(
			(one) =>
				isUnknownNode(one.node) &&
				lifecycleTaint(one.node)?.key === taintUnreachable &&
				isOld(one.readyChangedAt) &&
				isOld(one.taintedAt) &&
				isSilent(one, now) &&
				!mayLive(one, now),
		)
	);
}
