import {formatTaint} from '../../src/core/model/taint.ts';
import {settingsFor} from '../../src/core/model/versionProfile.ts';
import type {TimedEffect} from '../../src/core/simulation/effect.ts';
import {ScenarioPlayer} from '../support/scenario/scenarioPlayer.ts';
import {actionKey} from './actionKey.ts';
import {firstDifference} from './compareActions.ts';
import {firstZoneDifference, type SampledSecond, sampleOffset} from './compareZones.ts';
import type {Action, TraceVector} from './vector.ts';

/**
 * Plays a golden trace's scenario through the port, and compares the results.
 *
 * @returns the first difference, or undefined
 */
export function checkTrace(vector: TraceVector): string | undefined {
	// The recorder of v1.16 had no events of cancelled evictions, and wrote pods' statuses in no time.
	const isOld = vector.kubernetesVersion.startsWith('v1.16.');
	const {actions: all, samples} = play(vector, isOld);
	const actions = isOld ? all.filter(({kind}) => kind !== 'eviction-cancelled') : all;
	const keyOf = actionKey(vector.order, vector.scenario.nodes);
	return (
		firstDifference(vector.trace, actions, keyOf, vector.toleranceMs) ??
		firstZoneDifference(vector.zones, samples)
	);
}

function play({scenario, kubernetesVersion, firstPassAt}: TraceVector, isOld: boolean) {
	const defaults = {...settingsFor(kubernetesVersion), firstPassAfter: firstPassAt};
	const traits = {patchesCutTimes: true, podMarksTakeTime: !isOld};
	const player = new ScenarioPlayer(scenario, defaults, 1, 0, undefined, traits);
	const actions: Action[] = [];
	const samples: SampledSecond[] = [];
	const end = scenario.until * 1000;
	for (let at = sampleOffset; at <= end; at += 1000) {
		actions.push(...player.advanceTo(at).flatMap(actionOf));
		const views = player.simulation.controllers?.lifecycle.zones.views ?? [];
		samples.push(new Map(views.map(({zone, ...view}) => [zone, view])));
	}
	actions.push(...player.advanceTo(end).flatMap(actionOf));
	return {actions, samples};
}

/** An effect in the form of a trace. */
export function actionOf({at, effect}: TimedEffect): Action | readonly Action[] {
	switch (effect.type) {
		case 'nodeCondition':
			return {at, kind: 'node-condition', node: effect.node, detail: `${effect.condition}=${effect.status}`};
		case 'taintAdded':
			return {at, kind: 'taint-added', node: effect.node, detail: formatTaint(effect.taint)};
		case 'taintRemoved':
			return {at, kind: 'taint-removed', node: effect.node, detail: formatTaint(effect.taint)};
		case 'podCondition':
			return {at, kind: 'pod-condition', node: effect.node, pod: effect.pod, detail: `Ready=${effect.ready}`};
		case 'podDeleted':
			return {
				at,
				kind: effect.again ? 'pod-delete-again' : 'pod-deleted',
				node: effect.node,
				pod: effect.pod,
			};
		case 'evictionCancelled':
			return {at, kind: 'eviction-cancelled', pod: effect.pod};
		// It shows in the deletions of its pods.
		case 'nodeEvicted':
			return [];
		case 'labelsChanged':
			return {at, kind: 'labels-changed', node: effect.node};
	}
}
