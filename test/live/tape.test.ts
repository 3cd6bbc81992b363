import {expect, test} from 'vitest';
import type {Instant} from '../../src/core/time/instant.ts';
import {playThrough, type TapeEntry} from '../../src/live/tape.ts';

const news = {type: 'nodeDeleted', name: 'n1'} as const;
const batch = (at: Instant): TapeEntry => ({type: 'batch', at, observations: [news]});

async function played(...entries: readonly TapeEntry[]) {
	const story: string[] = [];
	async function* tape() {
		yield* entries;
	}
	await playThrough(
		tape(),
		{
			push: (entry) => {
				if (entry.type === 'batch') story.push(`heard ${entry.at}`);
				else if (entry.type === 'problems') story.push(`${entry.problems.length} problems ${entry.at}`);
			},
		},
		(now, isLast) => void story.push(`foretold ${now}${isLast ? ', the last' : ''}`),
	);
	return story;
}

test('a burst of changes makes four forecasts a second at the most, and none before what came with it', async () => {
	const story = await played(batch(0), batch(0), batch(100), batch(240), batch(600), batch(610));
	expect(story).toEqual([
		...['heard 0', 'heard 0', 'foretold 0', 'heard 100', 'heard 240', 'foretold 250'],
		...['heard 600', 'foretold 600', 'heard 610', 'foretold 610, the last'],
	]);
});

test('in a gap of days forecasts become rare: nothing becomes known there', async () => {
	const day = 86_400_000;
	const story = await played(batch(0), batch(3 * day), {type: 'end', at: 3 * day + 5000});
	const foretold = story
		.filter((one) => one.startsWith('foretold'))
		.map((one) => Number.parseInt(one.slice(9), 10));
	expect(foretold.length).toBeLessThan(250);
	// As usual at first, and again from the next change on.
	expect(foretold.slice(0, 100)).toEqual(Array.from({length: 100}, (_, index) => index * 1000));
	expect(foretold.slice(-6)).toEqual([0, 1, 2, 3, 4, 5].map((seconds) => 3 * day + seconds * 1000));
});
