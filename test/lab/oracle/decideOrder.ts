import {actionKey} from '../../conformance/actionKey.ts';
import {firstDifference} from '../../conformance/compareActions.ts';
import type {Action, TraceVector} from '../../conformance/vector.ts';
import {usualTolerance} from './compareTrace.ts';

/** What varies randomly between runs of one scenario. */
type Decision = Pick<TraceVector, 'order' | 'toleranceMs'>;

/**
 * Compares many runs of a scenario to find what varies randomly.
 *
 * @param traces the trace of each run
 * @param isThrottled whether the clients are throttled: then times may differ by any amount
 * @returns undefined if even the times of each kind of action differ, so that no vector is possible
 */
export function decideOrder(
	nodes: TraceVector['scenario']['nodes'],
	traces: readonly (readonly Action[])[],
	isThrottled: boolean,
): Decision | undefined {
	const [first = [], ...others] = traces;
	const areAlike = (order: 'decided' | 'undecided', toleranceMs: number) =>
		others.every(
			(trace) => firstDifference(first, trace, actionKey(order, nodes), toleranceMs) === undefined,
		);
	if (isThrottled) {
		const toleranceMs = Math.max(usualTolerance, 2 * spread(nodes, traces));
		return areAlike('undecided', toleranceMs) ? {order: 'undecided', toleranceMs} : undefined;
	}
	if (areAlike('decided', usualTolerance)) return {order: 'decided'};
	return areAlike('undecided', usualTolerance) ? {order: 'undecided'} : undefined;
}

/** The maximum time between the k-th actions of a kind and zone in different runs, in milliseconds. */
function spread(nodes: TraceVector['scenario']['nodes'], traces: readonly (readonly Action[])[]): number {
	const keyOf = actionKey('undecided', nodes);
	const timesOf = new Map<string, number[]>();
	for (const trace of traces) {
		const seen = new Map<string, number>();
		for (const action of trace.toSorted((a, b) => a.at - b.at)) {
			const key = keyOf(action);
			const k = seen.get(key) ?? 0;
			seen.set(key, k + 1);
			const times = timesOf.get(`${k} ${key}`) ?? [];
			times.push(action.at);
			timesOf.set(`${k} ${key}`, times);
		}
	}
	return Math.max(0, ...[...timesOf.values()].map((times) => Math.max(...times) - Math.min(...times)));
}
