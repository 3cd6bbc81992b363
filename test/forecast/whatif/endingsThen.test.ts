import {expect, test} from 'vitest';
import {taintOutOfService} from '../../../src/core/model/taint.ts';
import type {PodOutcome} from '../../../src/forecast/conclude/podOutcomes.ts';
import type {Range} from '../../../src/forecast/range.ts';
import {endingsOfTerminating, endingsThen} from '../../../src/forecast/whatif/endingsThen.ts';
import type {NodeEnd} from '../../../src/forecast/whatif/nodeEnd.ts';
import {inSeconds, now} from '../../print/forecasts.ts';
import {aPod, aTaint} from '../../support/builders.ts';

/** What ends a pod that does not tolerate the out-of-service taint its node gets. */
function endingOf(deletedAt: Range, wasReady: boolean, turnsAt: Range | null) {
	const outcome = {
		...{happens: 'always', range: deletedAt, deletedAt, isCollected: false, collection: undefined},
		deletion: {taint: aTaint(taintOutOfService), tolerated: 0, isOld: false},
	} as unknown as PodOutcome;
	const [ending] = endingsThen(outcome, undefined, {end: {turnsAt} as NodeEnd, wasReady});
	return ending;
}

test('on a node that is not ready, out-of-service removes a pod by force after its deletion was asked for', () => {
	const asked = inSeconds(10, 12);
	const ending = endingOf(asked, false, null);
	expect(ending).toMatchObject({cause: 'OutOfService', isForced: true, isCertain: true, needs: null, asked});
	expect(ending?.at?.earliest).toBe(asked.earliest);
	expect(ending?.at?.latest).toBeGreaterThan(asked.latest ?? 0);
	expect(endingOf(inSeconds(10, null), false, null)).toMatchObject({isForced: true, isCertain: false});
});

test('on a node that is ready, it waits until the node is found not ready, which may never be', () => {
	const asked = inSeconds(10, 12);
	const unknown = inSeconds(60, 70);
	expect(endingOf(asked, true, unknown)).toMatchObject({isForced: true, isCertain: true});
	expect(endingOf(asked, true, unknown)?.at?.earliest).toBe(unknown.earliest);
	expect(endingOf(asked, true, inSeconds(60, null))).toMatchObject({isForced: true, isCertain: false});
	expect(endingOf(asked, true, null)).toMatchObject({isForced: false, asked: null, at: asked});
});

test('a pod that is deleted already goes by force once its node, which is not ready, is taken out of service', () => {
	const node = {end: {turnsAt: null} as NodeEnd, wasReady: false};
	const outcome = {collection: undefined} as unknown as PodOutcome;
	const endingOn = (name: string, key = taintOutOfService) => {
		const taint = {type: 'taint', node: name, taint: aTaint(key), at: now + 5000} as const;
		return endingsOfTerminating(aPod('cart-0'), outcome, node, [taint]);
	};
	const [ending] = endingOn('n1');
	expect(ending).toMatchObject({cause: 'OutOfService', isForced: true, isCertain: true, asked: null});
	expect(ending?.at?.earliest).toBe(now + 5000);
	expect(endingOn('n2')).toEqual([]);
	expect(endingOn('n1', 'example.com/other')).toEqual([]);
});
