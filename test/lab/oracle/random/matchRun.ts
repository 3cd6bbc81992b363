import {settingsFor} from '../../../../src/core/model/versionProfile.ts';
import {Random} from '../../../../src/core/time/random.ts';
import {actionKey} from '../../../conformance/actionKey.ts';
import {firstDifference} from '../../../conformance/compareActions.ts';
import {actionOf} from '../../../conformance/playTrace.ts';
import type {TraceVector} from '../../../conformance/vector.ts';
import {ScenarioPlayer} from '../../../support/scenario/scenarioPlayer.ts';

/**
 * Searches for random choices with which the port does the same as one run of the real controllers, node by node. Half of
 * the choices prefer the order in which that run tainted the nodes.
 *
 * @param seeds how many choices are tried
 * @returns the first difference with the first choice; undefined if some choice has none
 */
export function firstMismatch(run: TraceVector, seeds: number): string | undefined {
	const turns = new Map(run.scenario.nodes.map(({name}) => [name, firstTurn(run, name)]));
	const inTurn = (node: string) => turns.get(node) ?? Number.POSITIVE_INFINITY;
	let first: string | undefined;
	for (let seed = 1; seed <= seeds; seed += 1) {
		const difference = mismatch(run, seed, seed % 2 === 0 ? inTurn : undefined);
		if (difference === undefined) return undefined;
		first ??= difference;
	}
	return first;
}

const lifecycleTaint = /^node\.kubernetes\.io\/(unreachable|not-ready):NoExecute$/;

function firstTurn({trace}: TraceVector, node: string): number {
	const turn = trace.find(
		(one) => one.node === node && one.kind === 'taint-added' && lifecycleTaint.test(one.detail ?? ''),
	);
	return turn?.at ?? Number.MAX_SAFE_INTEGER;
}

function mismatch(
	{scenario, kubernetesVersion, firstPassAt, trace}: TraceVector,
	seed: number,
	rankOf: ((node: string) => number) | undefined,
): string | undefined {
	const isOld = kubernetesVersion.startsWith('v1.16.');
	const defaults = {...settingsFor(kubernetesVersion), firstPassAfter: firstPassAt};
	const traits = {patchesCutTimes: true, listsNodesInRandomOrder: isOld && seed > 1};
	const player = new ScenarioPlayer(scenario, defaults, seed, 0, undefined, traits);
	if (rankOf) player.simulation.setRandom(new Random(seed, rankOf));
	const actions = player.advanceTo(scenario.until * 1000).flatMap(actionOf);
	// The recorder of v1.16 had no events of cancelled evictions.
	const got = isOld ? actions.filter(({kind}) => kind !== 'eviction-cancelled') : actions;
	return firstDifference(trace, got, actionKey('decided', scenario.nodes));
}
