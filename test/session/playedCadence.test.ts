import {expect, test} from 'vitest';
import type {Observation} from '../../src/core/model/observation.ts';
import {defaultSettings} from '../../src/core/model/versionProfile.ts';
import {type Instant, second} from '../../src/core/time/instant.ts';
import {Forecaster} from '../../src/forecast/forecaster.ts';
import type {TapeEntry} from '../../src/live/tape.ts';
import {sessionOn} from '../../src/session/session.ts';
import {aLease, aNode, aPod} from '../support/builders.ts';

/** A tape of nodes, a fortieth of which renews each quarter of a second; node n1 becomes silent at an instant. */
async function* tapeOf(nodes: number, silentFrom: Instant, until: Instant): AsyncGenerator<TapeEntry> {
	const names = Array.from({length: nodes}, (_, index) => `n${index}`);
	const renewal = (name: string, at: Instant): Observation => ({
		type: 'leaseApplied',
		lease: aLease(name, at),
	});
	const first: readonly Observation[] = [
		...names.map((name): Observation => ({type: 'nodeApplied', node: aNode(name)})),
		...names.map((name) => renewal(name, 0)),
		{type: 'podApplied', pod: aPod('web')},
	];
	yield {type: 'batch', at: 0, observations: first};
	for (let at = second / 4; at <= until; at += second / 4) {
		const turn = Math.round((4 * at) / second) % 40;
		const renewing = names.filter((name, index) => index % 40 === turn && (name !== 'n1' || at < silentFrom));
		yield {type: 'batch', at, observations: renewing.map((name) => renewal(name, at))};
	}
}

async function shownOf(nodes: number, silentFrom: Instant, until: Instant): Promise<readonly Instant[]> {
	const forecaster = new Forecaster(defaultSettings);
	const shown: Instant[] = [];
	const display = {publish: (_: unknown, now: Instant) => void shown.push(now)};
	const session = sessionOn({store: forecaster.store, forecaster, display});
	await session.play(tapeOf(nodes, silentFrom, until));
	return shown;
}

test('a recording of a large cluster in which nodes only renew is forecast each ten seconds, as a live watch would', async () => {
	expect((await shownOf(600, Number.POSITIVE_INFINITY, 30 * second)).length).toBeLessThanOrEqual(5);
});

test('a small one is forecast four times a second', async () => {
	expect((await shownOf(40, Number.POSITIVE_INFINITY, 5 * second)).length).toBeGreaterThanOrEqual(20);
});

test('a node that falls silent in a large cluster is told of at once', async () => {
	const shown = await shownOf(600, 10 * second, 32 * second);
	// Its last renewal came at 0.25 s, so it is silent from 20.25 s on.
	expect(shown.some((at) => at >= 20.25 * second && at <= 20.75 * second)).toBe(true);
});
