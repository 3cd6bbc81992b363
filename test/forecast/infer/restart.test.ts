import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {second} from '../../../src/core/time/instant.ts';
import {aForecaster} from '../../support/aForecaster.ts';
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
	player.advanceTo(95 * second);
	const forecaster = aForecaster(settingsOf(scenario.config, settingsFor('v1.36.3')), view.list());
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
	// The new leader's lease arrives within a second.
	const after = verdicts.filter(({at}) => at >= startsAgainAt + second);
	expect(new Set(after.map(({verdict}) => verdict))).toEqual(new Set(['Scheduled']));
	const deletedAt = player.advanceTo(300 * second).find(({effect}) => effect.type === 'podDeleted')?.at;
	for (const {latest} of after) expect(latest).toBeGreaterThanOrEqual((deletedAt ?? 0) - second / 10);
	for (const {latest} of after) expect(latest).toBeLessThanOrEqual((deletedAt ?? 0) + second);
});

test.for([
	{name: 'all zones down', dead: 4, others: 0},
	{name: 'a zone that is stopped', dead: 3, others: 3},
])('the first pass of new controllers may taint one more node before it finds $name', ({dead, others}) => {
	const nodes = nodesIn('a', 4);
	const down = nodes.slice(0, dead).map(({name}) => name);
	const scenario = aScenario({
		nodes: [...nodes, ...nodesIn('b', others)],
		pods: down.map((node) => podOn(node, `web-${node}`, 300)),
		// The first node's taint is removed when all zones turn out to be down.
		steps: [
			...stopKubelets(20, down[0] ?? ''),
			...stopKubelets(30, ...down.slice(1)),
			{at: 100, do: 'stop-controllers'},
			{at: startsAgainAt / second, do: 'start-controllers'},
		],
	});
	const player = new ScenarioPlayer(scenario, settingsFor('v1.36.3'));
	const view = new ClientView(player.simulation);
	const verdictsAt = (at: number): readonly string[] => {
		player.advanceTo(at);
		if (at >= startsAgainAt) view.controllersStarted = startsAgainAt;
		const forecaster = aForecaster(settingsOf(scenario.config, settingsFor('v1.36.3')), view.list());
		const {pods} = forecaster.forecast(at);
		return [...new Set(pods.filter(({node}) => node !== down[0]).map(({verdict}) => verdict))];
	};
	expect(verdictsAt(99 * second)).toEqual(['Held']);
	expect(verdictsAt(startsAgainAt + second)).toEqual(['Unsure']);
	// By then that pass is over, and all its taints are visible.
	expect(verdictsAt(startsAgainAt + 4 * second)).toEqual(['Held']);
});
