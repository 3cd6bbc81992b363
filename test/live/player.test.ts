import {expect, test} from 'vitest';
import {type Instant, minute, second} from '../../src/core/time/instant.ts';
import {tapePlayer} from '../../src/live/player.ts';
import type {TapeEntry} from '../../src/live/tape.ts';
import {ManualClock, settled} from './manualClock.ts';

const tapeStart: Instant = 1_000_000;
const length = 10 * minute;

/** One event each ten seconds. */
const entries = Array.from(
	{length: length / (10 * second) + 1},
	(_, index): TapeEntry => ({
		...{type: 'batch', at: tapeStart + index * 10 * second},
		observations: [{type: 'nodeDeleted', name: String(index)}],
	}),
);

function play(speed = 1) {
	const clock = new ManualClock();
	const stop = new AbortController();
	/** What each viewer received and showed: one is visible, the others are kept for seeking back. */
	const viewers: {heard: number; shown: Instant[]; passed: Instant[]}[] = [];
	let seen = {heard: 0, shown: [] as Instant[], passed: [] as Instant[]};
	const player = tapePlayer(
		{
			...{startedAt: tapeStart, endedAt: tapeStart + length},
			async *entries() {
				yield* entries;
			},
		},
		() => {
			const viewer = {heard: 0, shown: [] as Instant[], passed: [] as Instant[]};
			viewers.push(viewer);
			return {
				sink: {
					push: ({type}) => {
						if (type === 'batch') viewer.heard += 1;
					},
				},
				forecast: (now, isShown) => {
					(isShown ? viewer.shown : viewer.passed).push((now - tapeStart) / second);
					if (isShown) seen = viewer;
				},
			};
		},
		clock,
		speed,
		() => undefined,
	);
	const done = player.run(stop.signal);
	const viewer = () => seen;
	return {
		clock,
		player,
		viewers,
		viewer,
		stop: async () => {
			stop.abort();
			await done;
		},
	};
}

const at = (seconds: number) => tapeStart + seconds * second;
const arrived = async () => {
	for (let turn = 0; turn < 200; turn++) await settled();
};

test('it plays by the clock, and shows something each second', async () => {
	const {clock, player, viewer, stop} = play();
	await clock.advanceTo(25 * second);
	await arrived();
	expect(player.state).toEqual({position: at(25), speed: 1, isPlaying: true, isSeeking: false});
	expect(viewer()).toEqual({heard: 3, passed: [], shown: Array.from({length: 26}, (_, index) => index)});
	await stop();
});

test('a forecast that takes its time is waited for, and somebody who asks wakes a player that is held', async () => {
	const clock = new ManualClock();
	const stop = new AbortController();
	const shown: Instant[] = [];
	let finishForecast: (() => void) | undefined;
	const player = tapePlayer(
		{
			...{startedAt: tapeStart, endedAt: tapeStart + length},
			async *entries() {
				yield* entries;
			},
		},
		() => ({
			sink: {push: () => undefined},
			forecast: async (now) => {
				await new Promise<void>((resolve) => {
					finishForecast = resolve;
				});
				shown.push(now);
			},
		}),
		clock,
		1,
		() => undefined,
	);
	const done = player.run(stop.signal);
	await arrived();
	expect(shown).toEqual([]);
	finishForecast?.();
	await arrived();
	expect(shown).toEqual([tapeStart]);
	player.toggle();
	await arrived();
	finishForecast?.();
	await arrived();
	const before = shown.length;
	player.wake();
	await arrived();
	finishForecast?.();
	await arrived();
	expect(shown.length).toBe(before + 1);
	stop.abort();
	finishForecast?.();
	await arrived();
	finishForecast?.();
	await done;
});

test('faster is faster, and the end is the end', async () => {
	const {clock, player, viewer, stop} = play(60);
	await clock.advanceTo(5 * second);
	await arrived();
	expect(player.now()).toBe(at(300));
	expect(viewer().heard).toBe(31);
	player.speed = 10;
	await clock.advanceTo(6 * second);
	await arrived();
	expect(player.now()).toBe(at(310));
	await clock.advanceTo(100 * second);
	await arrived();
	expect(player.state).toMatchObject({position: at(600), isPlaying: false});
	expect(viewer().shown.at(-1)).toBe(600);
	await stop();
});

test('held, nothing moves; let go, it goes on from there', async () => {
	const {clock, player, viewer, stop} = play();
	await clock.advanceTo(5 * second);
	player.toggle();
	await clock.advanceTo(60 * second);
	await arrived();
	expect(player.state).toMatchObject({position: at(5), isPlaying: false});
	player.toggle();
	await clock.advanceTo(70 * second);
	await arrived();
	expect(player.now()).toBe(at(15));
	expect(viewer().heard).toBe(2);
	await stop();
});

test('on the way to a later place all is heard, forecasts are made now and then, and one is shown there', async () => {
	const {player, viewer, stop} = play();
	await arrived();
	player.seek(at(300));
	await arrived();
	expect(player.state).toMatchObject({position: at(300), isSeeking: false, isPlaying: true});
	expect(viewer().heard).toBe(31);
	expect(viewer().passed.length).toBeGreaterThan(20);
	expect(viewer().shown).toEqual([0, 300]);
	await stop();
});

test('on the way back, who takes over has seen all up to there, and nothing after it', async () => {
	const {player, viewer, stop} = play();
	for (const place of [300, 95, 285, 280, 275, 270, 200, 30]) {
		player.seek(at(place));
		await arrived();
		expect(viewer().heard).toBe(Math.floor(place / 10) + 1);
		expect(viewer().shown.at(-1)).toBe(place);
		expect(player.state.position).toBe(at(place));
	}
	await stop();
});

test('others stand ready at four places behind, so that keys pressed again and again do not lead through the start', async () => {
	const {player, viewers, viewer, stop} = play();
	player.toggle();
	player.seek(at(600));
	await arrived();
	const standing = () => viewers.filter((one) => one !== viewer()).map(({heard}) => heard * 10 - 10);
	// 20 s, a minute, four minutes; twenty minutes would be before the start.
	expect(standing()).toEqual([580, 540, 360]);
	player.seek(at(590));
	await arrived();
	expect(viewer()).toBe(viewers[1]);
	expect(viewers[0]).toMatchObject({heard: 61});
	player.seek(at(580));
	await arrived();
	expect(viewer()).toBe(viewers[2]);
	expect(viewer().heard).toBe(59);
	await stop();
});

test('who goes back at once, before anybody stands there, begins at the start', async () => {
	const {player, viewer, stop} = play();
	player.seek(at(300));
	while (player.state.isSeeking) await settled();
	player.seek(at(95));
	await arrived();
	expect(viewer()).toMatchObject({heard: 10, shown: [95]});
	await stop();
});

test('held, it can be sent elsewhere, and stays held there; no further than it reaches', async () => {
	const {player, viewer, stop} = play();
	player.toggle();
	player.seek(at(-50));
	await arrived();
	expect(player.state).toMatchObject({position: at(0), isPlaying: false});
	player.seek(at(5000));
	await arrived();
	expect(player.state).toMatchObject({position: at(600), isPlaying: false});
	expect(viewer().heard).toBe(61);
	await stop();
});

test('who changes their mind on the way gets to the last place asked for', async () => {
	const {player, viewer, stop} = play();
	for (const place of [600, 20, 400, 130]) player.seek(at(place));
	await arrived();
	expect(viewer().shown.at(-1)).toBe(130);
	expect(viewer().heard).toBe(14);
	await stop();
});

test('at its end, going on is beginning again', async () => {
	const {player, viewer, stop} = play();
	player.seek(at(600));
	await arrived();
	player.toggle();
	await arrived();
	expect(viewer()).toMatchObject({heard: 1, shown: [0]});
	expect(player.state).toMatchObject({position: at(0), isPlaying: true});
	await stop();
});
