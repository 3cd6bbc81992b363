import {expect, test} from 'vitest';
import type {ControllerSettings} from '../../../src/core/model/controllerSettings.ts';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {releaseWords} from '../../../src/forecast/infer/evictionStop.ts';
import type {ZonePast} from '../../../src/forecast/infer/zonePast.ts';
import {aDownNode, aReadyNode, forecasterOf, now} from '../../support/downNodes.ts';

const seen = [aDownNode('a-0', 60), ...['a-1', 'a-2', 'b-0', 'b-1'].map((name) => aReadyNode(name))];

test('a rate of zero stops every zone whatever its nodes are, since no time that they tell', () => {
	const forecaster = forecasterOf(seen, {...defaultSettings, nodeEvictionRate: 0});
	const {zones} = forecaster.forecast(now);
	const stopped = {
		kind: 'ZoneStopped',
		by: 'node-eviction-rate is 0',
		since: null,
		releasedBy: 'the node eviction rate is raised above zero',
	};
	expect(zones.map(({zone, stopped}) => ({zone, stopped}))).toEqual([
		{zone: 'eu/a', stopped},
		{zone: 'eu/b', stopped},
	]);
	expect(zones[1]?.because).toEqual([
		'node-eviction-rate is 0. Evictions resume when the node eviction rate is raised above zero',
	]);
});

test('a zone that most of its nodes stop is stopped by them, since the last of them went', () => {
	const down = [1, 2, 3].map((index) => aDownNode(`a-${index}`, 60 * index));
	const {zones} = forecasterOf([...down, aReadyNode('a-4'), aReadyNode('b-0')]).forecast(now);
	expect(zones.find(({zone}) => zone === 'eu/a')?.stopped).toMatchObject({
		by: 'evictions in zone eu/a are stopped, as 3 of 4 nodes are not ready',
		since: now - 60_000,
	});
});

test('since when all zones are down is found once, however many they are', () => {
	const readsOf = (size: number) => {
		let reads = 0;
		const nodes = Array.from({length: size}, (_, index) => {
			const {node, renewed} = aDownNode(`${String.fromCodePoint(0x4e00 + index)}-0`, 60);
			const {conditions} = node;
			const counted = {
				...node,
				get conditions() {
					reads += 1;
					return conditions;
				},
			};
			return {node: counted, renewed};
		});
		const {zones} = forecasterOf(nodes).forecast(now);
		expect(zones.map(({stopped}) => stopped)).toEqual(
			zones.map(() => expect.objectContaining({kind: 'AllZonesDown', since: now - 60_000})),
		);
		expect(zones).toHaveLength(size);
		return reads / size;
	};
	expect(readsOf(200)).toBeLessThan(2 * readsOf(50));
});

test('what releases a stopped zone is said as surely as it is known, and of a rate that a stopped limiter reports too', () => {
	const stopped = {state: 'PartialDisruption', count: {size: 4, notReady: 3}, rate: 0} as const;
	const zones = new Map<string, ZonePast>([
		['a', stopped],
		['b', {state: 'Normal', count: {size: 2, notReady: 0}, rate: 0.1}],
	]);
	const wordsOf = (settings: Partial<ControllerSettings>, areKnown: boolean) =>
		releaseWords('a', {zones, allDown: false}, {...defaultSettings, ...settings}, areKnown);
	const [back, last] = [
		'1 of its nodes recovers',
		'its last node fails too (a zone without any ready node evicts)',
	];
	expect(wordsOf({}, true)).toBe(`${back}, or ${last}`);
	expect(wordsOf({}, false)).toBe(`${back} (with unhealthy-zone-threshold=0.55), or ${last}`);
	expect(wordsOf({nodeEvictionRate: 1}, true)).toBe(
		`a new controller manager starts after ${back}, or ${last} (a rate of exactly 1 resumes nothing)`,
	);
});
