import type {ControllerSettings} from '../../../src/core/model/controllerSettings.ts';
import type {TimedEffect} from '../../../src/core/simulation/effect.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import type {Change, ChangeKind} from '../../../src/forecast/simulate/change.ts';
import {ClientView} from '../../support/clientView.ts';
import {feed} from '../../support/feed.ts';
import type {Scenario, ScenarioStep} from '../../support/scenario/scenario.ts';
import {instantOf, scenarioToleration, settingsOf, taintOf} from '../../support/scenario/scenarioObjects.ts';
import {ScenarioPlayer} from '../../support/scenario/scenarioPlayer.ts';

/** A scenario that is cut at an instant, in seconds: the later steps become changes of a what-if. */
export type Cut = {readonly scenario: Scenario; readonly at: number; readonly rest: readonly ScenarioStep[]};

/** A node that became silent less than this many seconds ago looks healthy. */
const unnoticed = 21;

/** All possible cuts of a scenario: just before a step, if the rest can be expressed as changes. */
export function cutsOf(scenario: Scenario): readonly Cut[] {
	const steps = scenario.steps.filter((step) => step.do !== 'snapshot').toSorted((a, b) => a.at - b.at);
	const instants = new Set(steps.map(({at}) => at));
	return [...instants].flatMap((instant) => {
		const at = instant - 0.9;
		const rest = steps.filter((step) => step.at > at);
		const isSettled = at > 5 && !steps.some((step) => isHidden(step, at));
		return isSettled && rest.every((step) => changeOf(step, 0) !== undefined) ? [{scenario, at, rest}] : [];
	});
}

/** Whether the effect of a step is not yet visible at an instant. */
const isHidden = (step: ScenarioStep, at: number): boolean =>
	step.at <= at &&
	step.at > at - unnoticed &&
	(step.do === 'stop-kubelet' || step.do === 'stop-controllers' || step.do === 'start-controllers');

/** A scenario's step as a change; undefined if there is no such change. */
export function changeOf(step: ScenarioStep, start: number): Change | undefined {
	const kind = kindOf(step);
	return kind && {at: instantOf(step.at, start), ...kind};
}

function kindOf(step: ScenarioStep): ChangeKind | undefined {
	switch (step.do) {
		case 'stop-kubelet':
			return {type: 'nodeDown', node: step.node};
		case 'start-kubelet':
			return {type: 'nodeBack', node: step.node};
		case 'delete-node':
			return {type: 'deleteNode', node: step.node};
		case 'cordon':
		case 'uncordon':
			return {type: 'cordon', node: step.node, unschedulable: step.do === 'cordon'};
		case 'add-taint':
			return {type: 'taint', node: step.node, taint: taintOf(step.taint)};
		case 'remove-taint': {
			const {key, effect} = step.taint;
			return {type: 'untaint', node: step.node, key, effect};
		}
		case 'set-tolerations':
			return {
				type: 'tolerations',
				pod: step.pod,
				tolerations: (step.tolerations ?? []).map(scenarioToleration),
			};
		case 'stop-controllers':
			return {type: 'controllersDown'};
		case 'start-controllers':
			return {type: 'controllersStart'};
		default:
			return undefined;
	}
}

/** How often a watcher receives changes. */
const watchEvery = 50;
const watchFor = 60_000;

/**
 * Plays a scenario to its cut; returns a client's observations from one list, or from a minute of watching.
 *
 * @returns the forecaster, what happened until the cut, and the changes to ask about
 */
export function seenUntil({scenario, at, rest}: Cut, defaults: ControllerSettings, look: 'cold' | 'warm') {
	const now = at * 1000;
	const player = new ScenarioPlayer(scenario, defaults);
	const view = new ClientView(player.simulation);
	const forecaster = new Forecaster(settingsOf(scenario.config, defaults));
	const starts = scenario.steps.filter((step) => step.do === 'start-controllers' && step.at <= at);
	const effects: TimedEffect[] = [];
	const startOf = () => {
		const last = starts.findLast((step) => step.at * 1000 <= player.simulation.now);
		view.controllersStarted = (last?.at ?? 0) * 1000;
	};
	if (look === 'warm') {
		effects.push(...player.advanceTo(Math.max(now - watchFor, 1000)));
		startOf();
		forecaster.observeSnapshot(view.list());
		view.watch();
		while (player.simulation.now < now) {
			effects.push(...player.advanceTo(Math.min(now, player.simulation.now + watchEvery)));
			startOf();
			feed(forecaster, view.watch(), player.simulation.now);
		}
	} else {
		effects.push(...player.advanceTo(now));
		startOf();
		forecaster.observeSnapshot(view.list());
	}
	return {forecaster, effects, now, changes: rest.flatMap((step) => changeOf(step, 0) ?? [])};
}
