import {expect, test} from 'vitest';
import {isUnknownNode} from '../../../src/core/model/node.ts';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import {scenarios} from '../../../src/demo/world/scenarios.ts';
import {aForecaster} from '../../support/aForecaster.ts';
import {gitVersion, ObservedWorld} from './observedWorld.ts';

const origin: Instant = Date.UTC(2026, 0, 31, 14);
const scenario = scenarios.find(({name}) => name === 'partial-large-zone');

// Each of these outages had nodes that turned Unknown up to 3.6 s after their range, or before it: the long passes of a run
// began with all nodes early or all late.
test.for([
	{seed: 2, looks: [24, 46]},
	{seed: 3, looks: [32, 46, 54]},
	{seed: 5, looks: [54, 56]},
	{seed: 6, looks: [56]},
	{seed: 8, looks: [54, 56]},
])(
	'one look before or in the first long pass tells when nodes turn Unknown: outage $seed',
	({seed, looks}) => {
		const turned = new Map<string, Instant>();
		const world = new ObservedWorld(scenario ?? expect.fail(), origin, seed, (observation, arrivedAt) => {
			if (observation.type !== 'nodeApplied' || !isUnknownNode(observation.node)) return;
			const {name} = observation.node;
			turned.set(name, turned.get(name) ?? arrivedAt);
		});
		const forecasts = looks.map((after) => {
			const now = origin + after * second;
			world.advanceTo(now);
			const look = aForecaster(settingsFor(gitVersion), world.snapshot(now));
			return look.forecast(now);
		});
		world.advanceTo(origin + 90 * second);
		const judged = forecasts.flatMap(({observedAt, nodes}) =>
			nodes.flatMap(({name, unknown}) => {
				const at = turned.get(name);
				return unknown && at !== undefined && at > observedAt ? [{name, observedAt, unknown, at}] : [];
			}),
		);
		expect(judged.length).toBeGreaterThan(20 * looks.length);
		const outside = judged.filter(
			({unknown: {earliest, latest}, at}) => at < earliest || (latest !== null && at > latest),
		);
		expect(outside).toEqual([]);
	},
);
