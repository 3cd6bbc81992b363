import {expect, test} from 'vitest';
import {defaultSettings} from '../../../../src/core/model/versionProfile.ts';
import type {ZoneCount} from '../../../../src/core/nodelifecycle/zones/zoneState.ts';
import {Zones} from '../../../../src/core/nodelifecycle/zones/zones.ts';

const allReady: ZoneCount = {size: 5, notReady: 0};
const allDown: ZoneCount = {size: 5, notReady: 5};

/** Zones after passes with these counts. */
function zonesAfter(...passes: readonly Readonly<Record<string, ZoneCount>>[]): Zones {
	const zones = new Zones(defaultSettings);
	for (const pass of passes) takePass(zones, pass);
	return zones;
}

/** Applies a pass's counts as the controller does. */
function takePass(zones: Zones, pass: Readonly<Record<string, ZoneCount>>, now = 0): string {
	const counts = new Map(Object.entries(pass));
	for (const zone of counts.keys()) zones.add(zone);
	const disruption = zones.count(counts);
	if (disruption === 'entering master disruption') zones.stopAll(now);
	else if (disruption !== 'still all down')
		zones.apply(counts, disruption === 'leaving master disruption', now);
	return disruption;
}

const states = (zones: Zones) => Object.fromEntries(zones.views.map(({zone, state}) => [zone, state]));
const rate = (zones: Zones, zone: string) => zones.queue(zone)?.limiter.qps;

test('the walk ends at the first zone that was not down; vanished ones behind it are kept for another pass', () => {
	const zones = zonesAfter({a: allReady, b: allReady, c: allReady});
	takePass(zones, {a: allReady});
	expect(states(zones)).toEqual({a: 'Normal', b: '', c: ''});
	takePass(zones, {b: allReady});
	expect(states(zones)).toEqual({b: 'Normal', c: ''});
});

test('where the last zone that worked vanishes, the others count as having been down before, and go on', () => {
	const zones = zonesAfter({a: allDown, b: allReady});
	expect(takePass(zones, {a: allDown})).toBe('still all down');
	expect(rate(zones, 'a')).toBe(Math.fround(0.1));
});
