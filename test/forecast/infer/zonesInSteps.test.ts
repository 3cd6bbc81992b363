import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {second} from '../../../src/core/time/instant.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import {aLease, aNode} from '../../support/builders.ts';
import {feed} from '../../support/feed.ts';

/** In how many steps a forecast is made of as many zones, in each of which a node is silent. */
function stepsOf(zones: number): number {
	const forecaster = new Forecaster(settingsFor('v1.36.3'));
	const nodes = Array.from({length: zones}, (_, index) =>
		aNode(`n${index}`, {labels: {'topology.kubernetes.io/zone': `z${index}`}}),
	);
	feed(
		forecaster,
		nodes.flatMap((node) => [
			{type: 'nodeApplied' as const, node},
			{type: 'leaseApplied' as const, lease: aLease(node.name, 0)},
		]),
		0,
	);
	const forecasting = forecaster.forecastInSteps(30 * second);
	let steps = 0;
	while (!forecasting.next().done) steps += 1;
	return steps;
}

// A forecast makes dozens of machines.
test('each zone that is put into a machine is a step of its own, so that many hold up nobody', () => {
	expect(stepsOf(60) - stepsOf(10)).toBeGreaterThan(50 * 30);
});
