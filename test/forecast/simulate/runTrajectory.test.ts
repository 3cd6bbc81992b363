import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {minute} from '../../../src/core/time/instant.ts';
import {findHiddenStates} from '../../../src/forecast/infer/hiddenStates.ts';
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

test.each([1, 2, 9, 19])('a change that changes nothing leaves a run as it is, outage %i', (seed) => {
	const {scenario, forecastAt} = outageOf(seed, {isThrottled: seed % 2 === 0});
	const defaults = settingsFor('v1.36.3');
	const settings = settingsOf(scenario.config, defaults);
	const player = new ScenarioPlayer(scenario, defaults, seed);
	const view = new ClientView(player.simulation);
	const now = forecastAt * 1000;
	player.advanceTo(now);
	const {evidence, list} = fedEvidence(settings);
	list(view.list());
	const affected = findAffectedNodes(evidence, now, settings);
	const states = finish(findHiddenStates(evidence, affected, exactly(settings), now));
	const situation = {now, settings, leader: {type: 'unseen'}} as const;
	const supposed = {affected, states, situation, around: [], horizon: 15 * minute};
	const nothing: Change = {at: now, type: 'tolerations', pod: 'default/none', tolerations: []};
	expect(affected.nodes.length).toBeGreaterThan(0);
	for (const hypothesis of states.hypotheses) {
		const plain = finish(runTrajectory(hypothesis, 0, {...supposed, changes: []}));
		const changed = finish(runTrajectory(hypothesis, 0, {...supposed, changes: [nothing]}));
		expect(changed).toEqual(plain);
	}
});
