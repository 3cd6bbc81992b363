import {setTimeout as sleep} from 'node:timers/promises';
import type {Random} from '../../../src/core/time/random.ts';
import type {Gap, Intervention} from './interventions.ts';
import type {ShadowProcess} from './shadowProcess.ts';
import type {World} from './world.ts';

/** How long a started shadow takes to be up to date. */
export const catchingUp = 5000;
/** How long the shadow, kubelets and controllers take to recover after the API server was down. */
const aftermath = 60_000;

/** Kills a shadow with -9 at random times, sometimes before it has read the cluster, and restarts it; returns how often. */
export async function killAtRandom(
	shadow: ShadowProcess,
	random: Random,
	gaps: Gap[],
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
			// This process may be killed before it is ready.
			shadow.start().catch(() => undefined);
			await pause(1500);
			await shadow.kill();
			kills += 1;
		}
		await startAgain(shadow);
		gaps.push({from, until: Date.now() + catchingUp});
	}
}

/** Retries the start: while the API server is down, the shadow reports that and exits. */
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

/** Kills the API server repeatedly, with the controllers, and records when nothing could be observed. */
export async function storm(
	world: World,
	random: Random,
	times: number,
	{interventions, gaps}: {readonly interventions: Intervention[]; readonly gaps: Gap[][]},
): Promise<void> {
	const intervention: Intervention = {
		...{name: 'the API server is killed', from: Date.now(), until: Number.POSITIVE_INFINITY, must: []},
		may: ({reason}) => reason === 'ControllerRestarted' || reason === 'ControllerDown',
	};
	interventions.push(intervention);
	await world.restartApiServer(times, () => sleep(random.next() * 5000));
	intervention.until = Date.now() + aftermath;
	for (const each of gaps) each.push({from: intervention.from, until: intervention.until});
}
