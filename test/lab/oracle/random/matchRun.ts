import {settingsFor} from '../../../../src/core/model/versionProfile.ts';
import type {Instant} from '../../../../src/core/time/instant.ts';
import {Random} from '../../../../src/core/time/random.ts';
import {actionKey} from '../../../conformance/actionKey.ts';
import {firstDifference} from '../../../conformance/compareActions.ts';
import {actionOf} from '../../../conformance/playTrace.ts';
import type {TraceVector} from '../../../conformance/vector.ts';
import {type MachineTraits, ScenarioPlayer} from '../../../support/scenario/scenarioPlayer.ts';

/**
 * Searches for random choices with which the port does the same as one run of the real controllers, node by node. Three of four
 * choices prefer the nodes that this run tainted next; they differ in when the nodes come that it did not taint.
 *
 * @param seeds how many choices are tried
 * @returns the first difference with the first choice; undefined if some choice has none
 */
export function firstMismatch(run: TraceVector, seeds: number): string | undefined {
	const turns = turnsIn(run);
	const others = [neverMore, () => -1, (now: Instant, random: Random) => now + random.next() * 100_000];
	let first: string | undefined;
	for (let seed = 1; seed <= seeds; seed += 1) {
		const other = others[seed % (others.length + 1)];
		const random = new Random(seed);
		const inTurn =
			other && ((node: string, now: Instant) => nextOf(turns.get(node), now) ?? other(now, random));
		const difference = mismatch(run, seed, inTurn);
		if (difference === undefined) return undefined;
		first ??= difference;
	}
	return first;
}

const neverMore = () => Number.MAX_SAFE_INTEGER;

const lifecycleTaint = /^node\.kubernetes\.io\/(unreachable|not-ready):NoExecute$/;

/** When each node was tainted. */
function turnsIn({trace}: TraceVector): ReadonlyMap<string, readonly Instant[]> {
	const turns = trace.filter(({kind, detail}) => kind === 'taint-added' && lifecycleTaint.test(detail ?? ''));
	const byNode = Map.groupBy(turns, ({node = ''}) => node);
	return new Map([...byNode].map(([node, own]) => [node, own.map(({at}) => at)]));
}

/** Its writers may have tried a taint again. */
const retries = 400;

const nextOf = (turns: readonly Instant[] = [], now: Instant) => turns.find((at) => at >= now - retries);

function mismatch(
	{scenario, kubernetesVersion, firstPassAt, trace}: TraceVector,
	seed: number,
	rankOf: MachineTraits['rankOf'],
): string | undefined {
	const isOld = kubernetesVersion.startsWith('v1.16.');
	const defaults = {...settingsFor(kubernetesVersion), firstPassAfter: firstPassAt};
	const listsNodesInRandomOrder = seed > 1;
	const traits = {
		patchesCutTimes: true,
		listsNodesInRandomOrder,
		firstPassesMeet: true,
		...(rankOf && {rankOf}),
	};
	const player = new ScenarioPlayer(scenario, defaults, seed, 0, undefined, traits);
	const actions = player.advanceTo(scenario.until * 1000).flatMap(actionOf);
	// The recorder of v1.16 had no events of cancelled evictions.
	const got = isOld ? actions.filter(({kind}) => kind !== 'eviction-cancelled') : actions;
	return firstDifference(trace, got, actionKey('decided', scenario.nodes));
}
