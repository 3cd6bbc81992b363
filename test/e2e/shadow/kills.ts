import {setTimeout as sleep} from 'node:timers/promises';
import type {Random} from '../../../src/core/time/random.ts';
import type {Blind, Deed} from './deeds.ts';
import type {ShadowProcess} from './shadowProcess.ts';
import type {World} from './world.ts';

/** What a shadow that was started needs to be in step. */
export const catchingUp = 5000;
/** What a shadow, kubelets and controllers need after the API server was away. */
const aftermath = 60_000;

/** Kills a shadow with -9 at random, now and then before it has read the cluster, and starts it again; answers how often. */
export async function killAtRandom(
	shadow: ShadowProcess,
	random: Random,
	blind: Blind[],
	signal: AbortSignal,
): Promise<number> {
	const pause = async (longest: number) => {
		await sleep(random.next() * longest, undefined, {signal}).catch(() => undefined);
	};
	for (let kills = 0; ; ) {
		await pause(70_000);
		if (signal.aborted) return kills;
		const from = Date.now();
		await shadow.kill();
		kills += 1;
		while (random.next() < 0.25) {
			// This life may end before it has begun.
			shadow.start().catch(() => undefined);
			await pause(1500);
			await shadow.kill();
			kills += 1;
		}
		await startAgain(shadow);
		blind.push({from, until: Date.now() + catchingUp});
	}
}

/** Starts it as often as it takes: as long as the API server is away, it says so and ends. */
async function startAgain(shadow: ShadowProcess): Promise<void> {
	for (let left = 60; ; left -= 1) {
		try {
			return await shadow.start();
		} catch (error) {
			if (left === 0) throw error;
			await sleep(1000);
		}
	}
}

/** Kills the API server again and again, with the controllers, and notes when nothing could be seen. */
export async function storm(
	world: World,
	random: Random,
	times: number,
	{deeds, blind}: {readonly deeds: Deed[]; readonly blind: Blind[][]},
): Promise<void> {
	const deed: Deed = {
		...{name: 'the API server is killed', from: Date.now(), until: Number.POSITIVE_INFINITY, must: []},
		may: ({reason}) => reason === 'ControllerRestarted' || reason === 'ControllerDown',
	};
	deeds.push(deed);
	await world.restartApiServer(times, () => sleep(random.next() * 5000));
	deed.until = Date.now() + aftermath;
	for (const each of blind) each.push({from: deed.from, until: deed.until});
}
