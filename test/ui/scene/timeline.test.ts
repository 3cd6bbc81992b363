import {expect, test} from 'vitest';
import {certainties} from '../../../src/forecast/certainty.ts';
import type {PodForecast} from '../../../src/forecast/podForecast.ts';
import {type Timeline, timelineOf} from '../../../src/ui/components/timelinePanel.ts';
import {Digest} from '../../../src/ui/scene/digest.ts';
import {aForecast, aPodForecast, inSeconds, now} from '../../print/forecasts.ts';

const timeline = (pods: readonly PodForecast[]) =>
	timelineOf(new Digest(aForecast({pods})).pods.groups, now, 60);
const at = ({buckets}: Timeline, index: number) => buckets[index];

test.for([
	{room: 200, width: 5000, buckets: 120},
	{room: 119, width: 10_000, buckets: 60},
	{room: 45, width: 15_000, buckets: 40},
	{room: 12, width: 60_000, buckets: 10},
])('in $room columns there are $buckets buckets', ({room, width, buckets}) => {
	const timeline = timelineOf([], now, room);
	expect(timeline.width).toBe(width);
	expect(timeline.buckets).toHaveLength(buckets);
	expect(timeline.peak).toBe(0);
});

test('a pod with one instant counts whole, where it is, and by how sure it is', () => {
	const pods = [
		aPodForecast({eviction: inSeconds(0)}),
		aPodForecast({verdict: 'Expected', eviction: inSeconds(61)}),
		aPodForecast({verdict: 'Unsure', eviction: inSeconds(61)}),
	];
	const line = timeline(pods);
	expect(at(line, 0)).toEqual({certain: 1, likely: 0, possible: 0});
	expect(at(line, 6)).toEqual({certain: 0, likely: 1, possible: 1});
	expect(line.peak).toBe(2);
});

test('a pod with a long range counts for its part in each bucket, and for one in all', () => {
	const line = timeline([aPodForecast({eviction: inSeconds(5, 45)})]);
	expect(line.buckets.slice(0, 6).map(({certain}) => certain)).toEqual([0.125, 0.25, 0.25, 0.25, 0.125, 0]);
});

test('what lies beyond ten minutes is left out, and what has no end fills them', () => {
	const beyond = timeline([aPodForecast({eviction: inSeconds(700, 800)})]);
	expect(beyond.peak).toBe(0);
	const open = timeline([aPodForecast({verdict: 'Unsure', eviction: inSeconds(0, null)})]);
	expect(open.buckets.every(({possible}) => Math.abs(possible - 1 / 60) < 1e-9)).toBe(true);
});

test('pods without a time are nowhere', () => {
	const line = timeline([aPodForecast({verdict: 'Held', eviction: null})]);
	expect(
		line.buckets.flatMap((bucket) => certainties.map((one) => bucket[one])).every((part) => part === 0),
	).toBe(true);
});
