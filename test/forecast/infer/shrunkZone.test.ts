import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import {ClientView} from '../../support/clientView.ts';
import {feed} from '../../support/feed.ts';
import {outageOf, withDeletedNodes} from '../../support/outages.ts';
import {settingsOf} from '../../support/scenario/scenarioObjects.ts';
import {ScenarioPlayer} from '../../support/scenario/scenarioPlayer.ts';
import {lookAhead, whatIsWrong} from '../../support/truth.ts';

/** A zone that is partially disrupted while it is large, and small after one of its Nodes was deleted. */
function shrinkingZone() {
	const {scenario, forecastAt} = outageOf(39, {});
	return {scenario: withDeletedNodes(scenario, 39), now: forecastAt * 1000};
}

test.each(['one look', 'a watch'])(
	'a zone that shrank below the threshold of large ones keeps its rate, by %s',
	(by) => {
		const {scenario, now} = shrinkingZone();
		const defaults = settingsFor('v1.36.3');
		const player = new ScenarioPlayer(scenario, defaults, 39);
		const view = new ClientView(player.simulation);
		const forecaster = new Forecaster(settingsOf(scenario.config, defaults));
		if (by === 'a watch') {
			player.advanceTo(100_000);
			forecaster.observeSnapshot(view.list());
			view.watch();
			for (let at = 100_000; at < now; at += 50) {
				player.advanceTo(Math.min(now, at + 50));
				feed(forecaster, view.watch(), player.simulation.now);
			}
		} else {
			player.advanceTo(now);
			forecaster.observeSnapshot(view.list());
		}
		const {pods, zones} = forecaster.forecast(now);
		const deletions = new Map<string, number>();
		for (const {at, effect} of player.advanceTo(now + lookAhead))
			if (effect.type === 'podDeleted' && !effect.again) deletions.set(effect.pod, at);
		// There is no pod garbage collector in this simulation.
		const bound = pods.filter(({cause}) => cause?.kind !== 'NodeDeleted');
		const wrong = bound.flatMap(
			(pod) => whatIsWrong(pod, deletions.get(`${pod.namespace}/${pod.name}`), now) ?? [],
		);
		expect(zones[0]?.state).toBe('PartialDisruption');
		expect(deletions.size).toBeGreaterThan(4);
		expect(wrong).toEqual([]);
	},
);
