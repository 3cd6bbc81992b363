import {expect, test} from 'vitest';
import type {Observation} from '../../src/core/model/observation.ts';
import {defaultSettings} from '../../src/core/model/versionProfile.ts';
import {second} from '../../src/core/time/instant.ts';
import {FirstLook} from '../../src/forecast/firstLook.ts';
import {Forecaster} from '../../src/forecast/forecaster.ts';
import {aCondition, aLease, aNode, inZone} from '../support/builders.ts';

const now = 0;

/** A cluster with a third of its nodes silent, one not ready, and one late. */
function firstLook(count: number): readonly Observation[] {
	const names = Array.from({length: count}, (_, index) => `n${index}`);
	return [
		...names.map((name, index): Observation => {
			const beat = {lastHeartbeatTime: now - 240 * second};
			const labels = inZone('abc'[index % 3] ?? 'a');
			return {
				type: 'nodeApplied',
				node: aNode(name, {labels, conditions: [aCondition('Ready', index === 1 ? 'False' : 'True', beat)]}),
			};
		}),
		...names.map((name, index): Observation => {
			const age = index % 3 === 0 ? 30 : index === 2 ? 12 : 3;
			return {type: 'leaseApplied', lease: aLease(name, now - age * second)};
		}),
	];
}

test('the nodes and zones of a census stand as in the forecast that follows, without a range', () => {
	const look = firstLook(200);
	const census = new FirstLook(look, now, defaultSettings).census();
	const forecaster = new Forecaster(defaultSettings);
	const {changes} = forecaster.store.apply(look, now);
	forecaster.take({changes, arrivedAt: now, provenance: {type: 'confirmed'}});
	const forecast = forecaster.forecast(now);
	const stateOf = (all: typeof forecast | undefined) => ({
		nodes: all?.nodes.map(({name, zone, verdict, ready, lastRenewal}) => ({
			...{name, zone, verdict, ready, lastRenewal},
		})),
		zones: all?.zones.map(({zone, state, size, notReady, rate, queue, toNextState}) => ({
			...{zone, state, size, notReady, rate, queue, toNextState},
		})),
	});
	expect(stateOf(census)).toEqual(stateOf(forecast));
	expect(new Set(census?.nodes.map(({verdict}) => verdict)).size).toBeGreaterThan(2);
	expect(census?.pods).toEqual([]);
	expect(census?.nodes.every(({unknown, noExecute}) => unknown === null && noExecute === null)).toBe(true);
	expect(census?.zones.every(({nextTaint, taints}) => nextTaint === null && taints.length === 0)).toBe(true);
});

test('of a small cluster there is none: its forecast is there at once', () => {
	expect(new FirstLook(firstLook(199), now, defaultSettings).census()).toBeUndefined();
});
