import {expect, test} from 'vitest';
import {NeverLimiter} from '../../../src/core/client/tokenBucket.ts';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import type {Simulation} from '../../../src/core/simulation/simulation.ts';
import {type Instant, minute} from '../../../src/core/time/instant.ts';
import {findHiddenStates} from '../../../src/forecast/infer/hiddenStates.ts';
import type {Hypothesis} from '../../../src/forecast/infer/hypothesis.ts';
import {exactly} from '../../../src/forecast/infer/settingsSpan.ts';
import {findAffectedNodes} from '../../../src/forecast/observe/affectedNodes.ts';
import {finish} from '../../../src/forecast/pausable.ts';
import type {Change} from '../../../src/forecast/simulate/change.ts';
import {runTrajectory} from '../../../src/forecast/simulate/runTrajectory.ts';
import {ClientView} from '../../support/clientView.ts';
import {fedEvidence} from '../../support/evidence.ts';
import {outageOf} from '../../support/outages.ts';
import {settingsOf} from '../../support/scenario/scenarioObjects.ts';
import {ScenarioPlayer} from '../../support/scenario/scenarioPlayer.ts';

/** An outage at the time of its forecast: the possible hidden states, and what a change causes in each. */
function outageAt(seed: number, second: number) {
	const {scenario} = outageOf(seed, {isThrottled: seed % 2 === 0});
	const defaults = settingsFor('v1.36.3');
	const settings = settingsOf(scenario.config, defaults);
	const player = new ScenarioPlayer(scenario, defaults, seed);
	const view = new ClientView(player.simulation);
	const now = second * 1000;
	player.advanceTo(now);
	const {evidence, list} = fedEvidence(settings);
	list(view.list());
	const affected = findAffectedNodes(evidence, now, settings);
	const states = finish(findHiddenStates({evidence, affected, now}, exactly(settings)));
	const situation = {now, settings, leader: {type: 'unseen'}} as const;
	const supposed = {affected, states, situation, ofQuestion: [], horizon: 15 * minute};
	const run = (hypothesis: Hypothesis, changes: readonly Change[]) =>
		finish(runTrajectory(hypothesis, 0, {...supposed, changes}));
	return {now, affected, states, hypotheses: states.hypotheses, run};
}

/** A change without an effect. */
const nothingAt = (at: number): Change => ({at, type: 'tolerations', pod: 'default/none', tolerations: []});

test.each([1, 2, 9, 19])('a change that changes nothing leaves a run as it is, outage %i', (seed) => {
	const {forecastAt} = outageOf(seed, {isThrottled: seed % 2 === 0});
	const {now, affected, hypotheses, run} = outageAt(seed, forecastAt);
	expect(affected.nodes.length).toBeGreaterThan(0);
	for (const hypothesis of hypotheses) expect(run(hypothesis, [nothingAt(now)])).toEqual(run(hypothesis, []));
});

test('a run that ends before all grace periods could be over has left nothing out', () => {
	let early = 0;
	for (const seed of [1, 2, 3, 9, 12, 19])
		for (const second of [60, 90, 130]) {
			const {now, hypotheses, run} = outageAt(seed, second);
			for (const hypothesis of hypotheses) {
				const short = run(hypothesis, []);
				if (short.endsAt >= now + minute) continue;
				early += 1;
				const {nodes, zones} = run(hypothesis, [nothingAt(now + 3 * minute)]);
				expect({nodes: short.nodes, zones: short.zones}).toEqual({nodes, zones});
			}
		}
	expect(early).toBeGreaterThan(20);
});

/** A zone's state and rate in a machine at an instant. */
function zoneIn(machine: Simulation, zone: string, at: Instant) {
	const copy = machine.fork();
	copy.advanceTo(at);
	const zones = copy.controllers?.lifecycle.zones;
	const limiter = zones?.queue(zone)?.limiter;
	return {state: zones?.state(zone), rate: limiter instanceof NeverLimiter ? 0 : limiter?.qps};
}

test('a zone changes between the two instants that a trajectory gives', () => {
	let changes = 0;
	for (const seed of [1, 3, 7, 8, 12])
		for (const second of [60, 90, 130]) {
			const {states, hypotheses, run} = outageAt(seed, second);
			for (const hypothesis of hypotheses) {
				const machine = finish(states.machineOf(hypothesis));
				for (const [zone, moments] of run(hypothesis, []).zones)
					for (const {from, at, state, rate} of moments.slice(1)) {
						changes += 1;
						expect(zoneIn(machine, zone, at)).toEqual({state, rate});
						expect(zoneIn(machine, zone, Math.max(machine.now, from - 1))).not.toEqual({state, rate});
					}
			}
		}
	expect(changes).toBeGreaterThan(50);
});
