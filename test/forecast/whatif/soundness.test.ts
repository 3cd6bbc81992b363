import {expect, test} from 'vitest';
import {nodeCondition} from '../../../src/core/model/node.ts';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import type {Simulation} from '../../../src/core/simulation/simulation.ts';

import {type Duration, second} from '../../../src/core/time/instant.ts';
import {Random} from '../../../src/core/time/random.ts';
import type {Change, ChangeKind} from '../../../src/forecast/simulate/change.ts';
import {applyChange} from '../../../src/forecast/simulate/change.ts';
import {aForecaster} from '../../support/aForecaster.ts';
import {ClientView} from '../../support/clientView.ts';
import {playDrawn} from '../../support/drawn.ts';
import {type OutageOptions, outageOf} from '../../support/outages.ts';
import {settingsOf} from '../../support/scenario/scenarioObjects.ts';
import {recordedProcess, ScenarioPlayer} from '../../support/scenario/scenarioPlayer.ts';
import {lookAhead, whatIsWrong} from '../../support/truth.ts';

const furthest: Duration = 150 * second;

/** One or two plausible changes, at different instants. */
function someChanges(simulation: Simulation, random: Random): readonly Change[] {
	const nodes = simulation.state.nodes().map(({node}) => node);
	const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random.next() * all.length)];
	const isUp = (name: string) => simulation.kubelets.isAlive(name);
	const kinds: readonly (() => ChangeKind | undefined)[] = [
		() => {
			const node = pick(nodes.filter(({name}) => !isUp(name)));
			return node && {type: 'nodeBack', node: node.name};
		},
		() => {
			const well = nodes.filter((one) => isUp(one.name) && nodeCondition(one, 'Ready')?.status === 'True');
			const node = pick(well);
			return node && {type: 'nodeDown', node: node.name};
		},
		() => {
			const node = pick(nodes);
			const taint = {key: 'example.com/supposed', value: '', effect: 'NoExecute'} as const;
			return node && {type: 'taint', node: node.name, taint};
		},
		() => ({type: 'controllersStart'}),
	];
	const count = random.next() < 0.5 ? 1 : 2;
	return Array.from({length: count}, () => pick(kinds)?.())
		.flatMap((kind): readonly Change[] =>
			kind ? [{at: simulation.now + Math.round(random.next() * furthest), ...kind}] : [],
		)
		.toSorted((a, b) => a.at - b.at);
}

/** Plays an outage, asks what some changes would do, applies them, and returns what is wrong. */
function wrongAnswers(seed: number, options: OutageOptions): readonly string[] {
	const {scenario, forecastAt} = outageOf(seed, options);
	const defaults = settingsFor('v1.36.3');
	const settings = settingsOf(scenario.config, defaults);
	// The script's later steps are unknown, and are dropped here.
	const steps = scenario.steps.filter((step) => step.at <= forecastAt);
	const player = new ScenarioPlayer({...scenario, steps}, defaults, seed);
	const {simulation} = player;
	const view = new ClientView(simulation);
	const now = forecastAt * second;
	player.advanceTo(now);
	view.controllersStarted = 0;
	const forecaster = aForecaster(settings, view.list());
	const changes = someChanges(simulation, new Random(seed));
	const {pods} = forecaster.whatIf(changes, now);
	const process = {...recordedProcess, passDuration: scenario.monitorPassDuration * second};
	const world = {renewIntervalOf: () => scenario.leaseRenewInterval * second, settings, process};
	const deletions = new Map<string, number>();
	const note = (effects: ReturnType<Simulation['advanceTo']>) => {
		for (const {at, effect} of effects)
			if (effect.type === 'podDeleted' && !effect.again && !deletions.has(effect.pod))
				deletions.set(effect.pod, at);
	};
	for (const change of changes) {
		note(simulation.advanceTo(change.at));
		note(applyChange(change, simulation, world));
	}
	note(simulation.advanceTo(now + lookAhead));
	const asked = changes.map(({type, at}) => `${type} +${(at - now) / 1000}s`).join(', ');
	return pods
		.filter(({before}) => before.verdict !== 'Terminating')
		.flatMap(({after}) => {
			const wrong = whatIsWrong(after, deletions.get(`${after.namespace}/${after.name}`), now);
			return wrong === undefined ? [] : [`seed ${seed} (${asked}): ${wrong}`];
		});
}

test.for<{name: string; options: OutageOptions}>([
	{name: 'outages of nodes alone', options: {}},
	{name: 'outages with taints that users set', options: {hasUserTaints: true}},
	{name: 'outages through a throttled client', options: {isThrottled: true}},
])('an answer contains what then happens in $name', ({name, options}) => {
	const drawn = {suite: 'whatIf', kind: name, count: 25};
	expect(playDrawn(drawn, (seed) => wrongAnswers(seed, options)).flat()).toEqual([]);
});
