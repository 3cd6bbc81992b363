import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import {ClientView} from '../../support/clientView.ts';
import {feed} from '../../support/feed.ts';
import {ScenarioPlayer} from '../../support/scenario/scenarioPlayer.ts';
import {aScenario} from '../../support/scenarios.ts';

const nodes = ['a', 'b', 'c', 'd'].map((name) => ({name, createdAt: -3600}));
const pods = [{name: 'fragile', node: 'a'}];
const steps = [{at: 33.37, do: 'stop-kubelet', node: 'a'} as const];

/** Plays until the node has just become Unknown, and forecasts its pod's eviction, from one list and from a watch. */
function askRightAfterUnknown(version: string) {
	const settings = settingsFor(version);
	const player = new ScenarioPlayer(aScenario({nodes, pods, steps, until: 200}), settings, 1);
	const view = new ClientView(player.simulation);
	player.advanceTo(20_000);
	const warm = new Forecaster(settings);
	warm.observeSnapshot(view.list());
	let isUnknown = false;
	for (let at = 20_050; !isUnknown; at += 50) {
		const effects = player.advanceTo(at).map(({effect}) => effect);
		isUnknown = effects.some(({type}) => type === 'nodeCondition');
		feed(warm, view.watch(), at);
	}
	const {now} = player.simulation;
	const cold = new Forecaster(settings);
	cold.observeSnapshot(view.list());
	const ranges = [cold, warm].map((one) => one.forecast(now).pods[0]?.eviction);
	const gone = player.advanceTo(200_000).find(({effect}) => effect.type === 'podDeleted');
	return {ranges, goneAt: gone?.at ?? Number.NaN, now};
}

test.for(['v1.32.13', 'v1.24.17', 'v1.36.3'])(
	'right after a node turned Unknown, %s taints it when the forecast says',
	(version) => {
		const {ranges, goneAt} = askRightAfterUnknown(version);
		for (const range of ranges) {
			expect(range?.earliest).toBeLessThanOrEqual(goneAt + 1000);
			expect(range?.latest).toBeGreaterThanOrEqual(goneAt - 1000);
		}
	},
);

test('until 1.33 that is a pass later', () => {
	const wait = (version: string) => {
		const {goneAt, now} = askRightAfterUnknown(version);
		return goneAt - now;
	};
	expect(wait('v1.36.3')).toBeLessThan(1000);
	expect(wait('v1.32.13')).toBeGreaterThan(4000);
});
