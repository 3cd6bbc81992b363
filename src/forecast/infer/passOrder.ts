import type {Instant} from '../../core/time/instant.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {throttledPassWrites} from '../observe/passes/throttledPassWrites.ts';
import type {Inferred} from './inferred.ts';

/** The nodes that the pass in progress has turned Unknown, and until when no other pass can begin. */
export type PassOrder = {readonly marked: ReadonlySet<NodeEvidence>; readonly lastsUntil: Instant};

/** Every zone's queue asks for it: it is found once. */
const orders = new WeakMap<Inferred, {readonly order: PassOrder | undefined}>();

/** The order in which a throttled pass turned nodes Unknown; undefined where no such pass is in progress. */
export function passOrderOf(situation: Inferred): PassOrder | undefined {
	const known = orders.get(situation) ?? {order: findOrder(situation)};
	orders.set(situation, known);
	return known.order;
}

function findOrder({passes, evidence, settings}: Inferred): PassOrder | undefined {
	const marked = passes.throttledPass?.marked;
	const writes = marked && throttledPassWrites(marked, evidence, settings.nodeMonitorPeriod);
	if (!writes) return undefined;
	return {
		marked: new Set(marked.filter(({readyChangedAt}) => (readyChangedAt?.lo ?? 0) >= writes.first)),
		lastsUntil: writes.last + settings.nodeMonitorPeriod,
	};
}
