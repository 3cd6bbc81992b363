import {type Instant, never} from '../../core/time/instant.ts';
import {firstAtTop, pressureEnding} from '../conclude/endings.ts';
import type {Forecast} from '../forecast.ts';
import type {PodForecast} from '../podForecast.ts';
import type {PressureEviction, PressureForecast} from '../pressure/pressureForecast.ts';
import {withPressure} from '../pressure/withPressure.ts';
import {Range} from '../range.ts';
import type {Change} from '../simulate/change.ts';
import type {PodChange, WhatIf} from './whatIf.ts';

/**
 * Adds evictions by kubelets to a what-if: on both sides, the first end of a pod counts. A kubelet that falls silent evicts
 * no more pods. That other pods leave is not considered, though it may free something for those that stay.
 *
 * @param pressure of nodes whose kubelets were queried
 */
export function whatIfWithPressure(
	whatIf: WhatIf,
	pressure: readonly PressureForecast[],
	forecast: Forecast,
): WhatIf {
	const alive = new Set(
		forecast.nodes.flatMap(({name, ready, verdict}) =>
			ready === 'True' && verdict !== 'Silent' ? [name] : [],
		),
	);
	const before = new Map(pressure.flatMap((one) => (alive.has(one.node) ? [[one.node, one] as const] : [])));
	if (before.size === 0) return whatIf;
	const after = new Map([...before].map(([name, one]) => [name, until(silentAt(name, whatIf.changes), one)]));
	const joinedOn = (side: 'before' | 'after', by: ReadonlyMap<string, PressureForecast>) =>
		withPressure({...forecast, pods: whatIf.pods.map((pod) => pod[side])}, [...by.values()]).pods;
	const [podsBefore, podsAfter] = [joinedOn('before', before), joinedOn('after', after)];
	const pods = whatIf.pods.map((pod, index): PodChange => {
		const {node} = pod.before;
		const one = {...pod, before: podsBefore[index] ?? pod.before, after: podsAfter[index] ?? pod.after};
		const endings = {
			before: withEnding(pod.endings.before, pod.before, before.get(node)),
			after: withEnding(pod.endings.after, pod.before, after.get(node)),
		};
		const isPressed = one.before !== pod.before || one.after !== pod.after;
		return {...one, ...(isPressed && effectOf(one)), endings};
	});
	return {...whatIf, pods};
}

function withEnding(
	endings: PodChange['endings']['before'],
	pod: PodForecast,
	pressure: PressureForecast | undefined,
) {
	const ending = pressure && pressureEnding(pod, pressure);
	return ending?.at ? firstAtTop([...endings, ending]) : endings;
}

/** When a kubelet stops measuring; never if no change stops it. */
const silentAt = (node: string, changes: readonly Change[]): Instant =>
	changes.find((one) => (one.type === 'nodeDown' || one.type === 'deleteNode') && one.node === node)?.at ??
	never;

function until(end: Instant, pressure: PressureForecast): PressureForecast {
	const evictions = pressure.evictions.flatMap((one): readonly PressureEviction[] => {
		const {earliest, expected, latest} = one.when;
		if (latest !== null && latest <= end) return [one];
		if (earliest >= end) return [];
		if (end === never) return [one];
		const when = new Range(earliest, Math.min(expected, end), null, one.when.shownEnd);
		return [{...one, when, isCertain: false}];
	});
	return {...pressure, evictions};
}

/** The effect of changes on a pod whose ends were joined with others. */
export function effectOf({
	before,
	after,
}: Pick<PodChange, 'before' | 'after'>): Pick<PodChange, 'effect' | 'shift'> {
	const [first, second] = [before.eviction, after.eviction];
	if (!first || !second) return {effect: first ? 'avoided' : second ? 'added' : 'unchanged', shift: null};
	const isSame =
		first.earliest === second.earliest &&
		first.latest === second.latest &&
		before.cause?.kind === after.cause?.kind;
	if (isSame) return {effect: 'unchanged', shift: null};
	return {effect: 'moved', shift: second.expected - first.expected};
}
