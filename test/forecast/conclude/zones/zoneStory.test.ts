import {expect, test} from 'vitest';
import {isReadyNode} from '../../../../src/core/model/node.ts';
import {settingsFor} from '../../../../src/core/model/versionProfile.ts';
import {zoneKey, zoneLabel} from '../../../../src/core/model/zone.ts';
import {type Instant, never, second} from '../../../../src/core/time/instant.ts';
import {scenarios} from '../../../../src/demo/world/scenarios.ts';
import {Forecaster} from '../../../../src/forecast/forecaster.ts';
import {gitVersion, ObservedWorld} from '../../../demo/truth/observedWorld.ts';

const origin: Instant = Date.UTC(2026, 0, 2, 3, 4, 5);
const lost = 'eu/b';

/** The same outage from several seeds, with forecasts at instants that are unrelated to its passes. */
test.for([1, 2, 5, 8, 14])(
	'a zone that is lost comes into its last state in the range that is told, seed %d',
	(seed) => {
		const scenario = scenarios.find(({name}) => name === 'zone-dies');
		if (!scenario) throw new Error('no such scenario');
		const down = new Map<string, Instant>();
		const marked = new Map<string, Instant>();
		const world = new ObservedWorld(scenario, origin, seed, (observation, arrivedAt) => {
			if (observation.type === 'nodeApplied') {
				const {node} = observation;
				const isLost = zoneLabel(zoneKey(node)) === lost && !isReadyNode(node);
				if (isLost && !down.has(node.name)) down.set(node.name, arrivedAt);
			}
			if (observation.type === 'podApplied' && down.has(observation.pod.nodeName)) {
				const {uid, ready} = observation.pod;
				if (ready !== 'True' && !marked.has(uid)) marked.set(uid, arrivedAt);
			}
		});
		const told = [];
		for (let now = origin + 30 * second; down.size < 4; now += 1.7 * second) {
			world.advanceTo(now);
			const forecaster = new Forecaster(settingsFor(gitVersion));
			forecaster.observeSnapshot(world.snapshot(now));
			const {coming, silent} = forecaster.forecast(now).zones.find(({zone}) => zone === lost) ?? {};
			const {before} = forecaster.whatIf([], now).zones.find(({zone}) => zone === lost) ?? {};
			if (down.size > 0 || silent !== 4) continue;
			for (const story of [coming, before]) if (story?.isSure) told.push(...story.steps.slice(-1));
		}
		// The pass judges the zones at its end, after it has marked the pods.
		const turned = Math.max(...down.values());
		world.advanceTo(turned + 3 * second);
		const ended = Math.max(...marked.values());
		expect(told.length).toBeGreaterThan(3);
		for (const {state, at} of told) {
			expect(state).toBe('FullDisruption');
			expect(at.earliest).toBeLessThanOrEqual(ended);
			expect(at.latest ?? never).toBeGreaterThanOrEqual(turned);
		}
	},
);
