import {expect, test} from 'vitest';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {moreLosses} from '../../../src/impact/moreLosses.ts';
import {formatMoreLosses} from '../../../src/print/whatif/moreLosses.ts';
import {aForecast, aZoneForecast} from '../forecasts.ts';

test('a zone that stops taints no further node, and is not said to stop the countdowns that run', () => {
	const steps = [{nodes: 1, state: 'PartialDisruption', rate: 0}] as const;
	const zone = {
		zone: 'eu/a',
		state: 'Normal',
		size: 4,
		ready: 2,
		silent: 0,
		late: 0,
		rate: 0.1,
		steps,
	} as const;
	expect(formatMoreLosses({zones: [zone], untilAllStop: 2})).toContain(
		'1 more: evictions stop (PartialDisruption)\n\nWhere a zone stops evicting, running countdowns continue.\n',
	);
});

test('nodes that are silent count as lost before their zone says so', () => {
	const forecast = aForecast({
		zones: [aZoneForecast({zone: 'eu/a', size: 4, notReady: 0, silent: 2, state: 'Normal'})],
	});
	const outlook = moreLosses(forecast, defaultSettings);
	expect(outlook).toMatchObject({
		zones: [{ready: 4, silent: 2, steps: [{nodes: 1, state: 'PartialDisruption'}, {nodes: 2}]}],
		untilAllStop: 2,
	});
	expect(formatMoreLosses(outlook)).toMatch(/eu\/a +Normal +4\/4, but 2 silent /);
});

test('the zone of the only controller manager stops everything once all its nodes are lost', () => {
	const forecast = aForecast({
		zones: [aZoneForecast({zone: 'cp', size: 2, notReady: 0, state: 'Normal', onlyController: 'cp1'})],
	});
	const outlook = moreLosses(forecast, defaultSettings);
	expect(outlook.zones[0]?.steps.at(-1)).toMatchObject({nodes: 2, rate: 0, isControllerLost: true});
	expect(formatMoreLosses(outlook, 'cp1')).toContain(
		'2 more: all evictions stop, as no controller manager is left (FullDisruption)',
	);
});

test('a pace is told in nodes per second', () => {
	const steps = [{nodes: 1, state: 'FullDisruption', rate: 5}] as const;
	const zone = {zone: 'a', state: 'Normal', size: 2, ready: 1, silent: 0, late: 0, rate: 5, steps} as const;
	expect(formatMoreLosses({zones: [zone], untilAllStop: 1}, 'cp1')).toMatch(
		/In any state of the zones: if cp1 fails, the only controller manager is lost: nothing more/,
	);
	// Without controllers nothing takes the taints off.
	expect(formatMoreLosses({zones: [zone], untilAllStop: 3}, 'cp1')).toContain(
		'If all 3 nodes that are ready fall silent while the controller manager still runs, every eviction stops, and taints are removed.\n',
	);
	expect(formatMoreLosses({zones: [zone], untilAllStop: 1})).not.toContain('controller manager');
	expect(formatMoreLosses({zones: [zone], untilAllStop: 1})).toContain(
		'1 more: evictions go on at 5/s (FullDisruption)\n',
	);
});
