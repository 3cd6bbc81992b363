import {expect, test} from 'vitest';
import {podKey} from '../../../src/core/model/pod.ts';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import type {PodForecast} from '../../../src/forecast/podForecast.ts';
import {ClientView} from '../../support/clientView.ts';
import {feed} from '../../support/feed.ts';
import {settingsOf} from '../../support/scenario/scenarioObjects.ts';
import {ScenarioPlayer} from '../../support/scenario/scenarioPlayer.ts';
import {aScenario, defaultConfig} from '../../support/scenarios.ts';
import {whatIsWrong} from '../../support/truth.ts';
import {nodesIn, podOn, stopKubelets} from '../explain/scene.ts';

const startsAgainAt = 150.3 * second;

// New controllers take 18 s to take the taints off thirty nodes; then each node gets its taint again.
test.for([
	{rate: 0.5, isWatched: false},
	{rate: 0.5, isWatched: true},
	// At this rate a zone that taints no node for long seems to be stopped for good.
	{rate: 1, isWatched: false},
	{rate: 1, isWatched: true},
])(
	'pods stay at first if new controllers take taints off for long, and go later: rate $rate, watched: $isWatched',
	({rate, isWatched}) => {
		const down = nodesIn('a', 30).map(({name}) => name);
		const config = {...defaultConfig, kubeApiQps: 5, kubeApiBurst: 8, nodeEvictionRate: rate};
		const scenario = aScenario({
			...{config, nodes: [...nodesIn('a', 60), ...nodesIn('b', 20)]},
			pods: down.map((node) => podOn(node, `web-${node}`, 60)),
			steps: [
				...stopKubelets(20, ...down),
				{at: 125, do: 'stop-controllers'},
				{at: startsAgainAt / second, do: 'start-controllers'},
			],
		});
		const defaults = settingsFor('v1.36.3');
		const player = new ScenarioPlayer(scenario, defaults);
		const view = new ClientView(player.simulation);
		const deletions = new Map<string, Instant>();
		const playTo = (at: Instant) => {
			for (const done of player.advanceTo(at))
				if (done.effect.type === 'podDeleted') deletions.set(done.effect.pod, done.at);
		};
		const watching = new Forecaster(settingsOf(config, defaults));
		playTo(100 * second);
		watching.observeSnapshot(view.list());
		view.watch();
		const looks: {at: Instant; pods: readonly PodForecast[]}[] = [];
		for (let at = 101 * second; at < 200 * second; at += second) {
			playTo(at);
			if (at >= startsAgainAt) view.controllersStarted = startsAgainAt;
			feed(watching, view.watch(), at);
			if (at < startsAgainAt + second || at % (6 * second) !== 0) continue;
			const listing = new Forecaster(settingsOf(config, defaults));
			listing.observeSnapshot(view.list());
			const {pods} = (isWatched ? watching : listing).forecast(at);
			looks.push({at, pods});
		}
		playTo(600 * second);
		expect(deletions.size).toBe(down.length);
		const wrong = looks.flatMap(({at, pods}) =>
			pods.flatMap((pod) => whatIsWrong(pod, deletions.get(podKey(pod)), at) ?? []),
		);
		expect(wrong).toEqual([]);
	},
);
