import type {Range} from '../forecast/podForecast.ts';
import type {PodLossStep} from './budgets.ts';

/** When so many have stopped being ready, whichever they are; null for none. */
export function lossAt(steps: readonly PodLossStep[], count: number): Range | null {
	const lost = steps.flatMap(({at, wasReady}) => (wasReady ? [at] : []));
	const nth = (of: (at: Range) => number) => lost.map(of).toSorted((a, b) => a - b)[count - 1];
	const [earliest, expected] = [nth((at) => at.earliest), nth((at) => at.expected)];
	if (earliest === undefined || expected === undefined) return null;
	const latest = nth((at) => at.latest ?? Number.POSITIVE_INFINITY) ?? Number.POSITIVE_INFINITY;
	return {earliest, expected, latest: Number.isFinite(latest) ? latest : null};
}
