import {expect, test} from 'vitest';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {zoneWith} from '../../../src/forecast/infer/evictionStop.ts';
import type {ZonePast} from '../../../src/forecast/infer/zonePast.ts';

/** Zones that count how often one of them is read in passing through all. */
class CountedZones extends Map<string, Pick<ZonePast, 'state' | 'count'>> {
	passed = 0;

	override *[Symbol.iterator]() {
		for (const entry of super.entries()) {
			this.passed += 1;
			yield entry;
		}
		return undefined;
	}

	override *values() {
		for (const [, zone] of this) yield zone;
		return undefined;
	}
}

const one = (notReady: number) =>
	({state: notReady === 1 ? 'FullDisruption' : 'Normal', count: {size: 1, notReady}}) as const;

test('what each of many zones would do is found without a pass through all for each', () => {
	const zones = new CountedZones();
	for (let index = 0; index < 1000; index += 1) zones.set(`zone-${index}`, one(1));
	for (const zone of zones.keys()) expect(zoneWith(zone, 0, zones, defaultSettings).rate).toBe(0);
	expect(zones.passed).toBeLessThanOrEqual(zones.size);
});

test('the last zone that is up, and that loses its last node, stops all; with another one up it evicts', () => {
	const rateOf = (zone: string, back: number, ...notReady: readonly number[]) => {
		const zones = new Map(notReady.map((count, index) => [`${index}`, one(count)]));
		return zoneWith(zone, back, zones, defaultSettings).rate;
	};
	const {nodeEvictionRate} = defaultSettings;
	expect(rateOf('0', -1, 0, 1, 1)).toBe(0);
	expect(rateOf('0', -1, 0, 0, 1)).toBe(nodeEvictionRate);
	expect(rateOf('1', 0, 0, 1, 1)).toBe(nodeEvictionRate);
	expect(rateOf('1', 0, 1, 1, 1)).toBe(0);
	expect(rateOf('1', 1, 1, 1, 1)).toBe(nodeEvictionRate);
});
