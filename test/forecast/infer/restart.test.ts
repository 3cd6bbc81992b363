import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {second} from '../../../src/core/time/instant.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import {ClientView} from '../../support/clientView.ts';
import {feed} from '../../support/feed.ts';
import {settingsOf} from '../../support/scenario/scenarioObjects.ts';
import {ScenarioPlayer} from '../../support/scenario/scenarioPlayer.ts';
import {aScenario} from '../../support/scenarios.ts';
import {nodesIn, podOn, stopKubelets} from '../explain/scene.ts';

const startsAgainAt = 110.3 * second;

test('once the new controllers have put their taint on a node, its pods are sure to go', () => {
	const scenario = aScenario({
		nodes: [...nodesIn('a', 4), ...nodesIn('b', 3)],
		pods: [podOn('a0', 'web', 60)],
		steps: [
			...stopKubelets(20, 'a0'),
			{at: 100, do: 'stop-controllers'},
			{at: startsAgainAt / second, do: 'start-controllers'},
		],
	});
	const player = new ScenarioPlayer(scenario, settingsFor('v1.36.3'));
	const view = new ClientView(player.simulation);
	const forecaster = new Forecaster(settingsOf(scenario.config, settingsFor('v1.36.3')));
	player.advanceTo(95 * second);
	forecaster.observeSnapshot(view.list());
	view.watch();
	let taintedAt: number | undefined;
	const verdicts: {at: number; verdict: string | undefined; latest: number | null | undefined}[] = [];
	for (let now = 95 * second; now < startsAgainAt + 4 * second; now += second / 10) {
		for (const {at, effect} of player.advanceTo(now)) {
			const isTaint = effect.type === 'taintAdded' && effect.taint.effect === 'NoExecute';
			if (isTaint && at > startsAgainAt) taintedAt = at;
		}
		if (now >= startsAgainAt) view.controllersStarted = startsAgainAt;
		feed(forecaster, view.watch(), now);
		const pod = forecaster.forecast(now).pods[0];
		verdicts.push({at: now, verdict: pod?.verdict, latest: pod?.eviction?.latest});
	}
	expect(taintedAt).toBeLessThan(startsAgainAt + 2 * second);
	// The new leader's lease is heard of within a second.
	const after = verdicts.filter(({at}) => at >= startsAgainAt + second);
	expect(new Set(after.map(({verdict}) => verdict))).toEqual(new Set(['Scheduled']));
	const deletedAt = player.advanceTo(300 * second).find(({effect}) => effect.type === 'podDeleted')?.at;
	for (const {latest} of after) expect(latest).toBeGreaterThanOrEqual((deletedAt ?? 0) - second / 10);
	for (const {latest} of after) expect(latest).toBeLessThanOrEqual((deletedAt ?? 0) + second);
});
