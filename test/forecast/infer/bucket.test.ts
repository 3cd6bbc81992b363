import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import {nextToken} from '../../../src/forecast/infer/bucket.ts';
import type {AffectedNodes} from '../../../src/forecast/observe/affectedNodes.ts';
import {aCondition, aNode, inZone, keyOfZone} from '../../support/builders.ts';

const now = 300 * second;
const at = (instant: Instant) => ({lo: instant, hi: instant});
const nothing: AffectedNodes = {
	...{nodes: [], returned: [], deleted: [], countedUntilDeleted: [], mayHaveCounted: []},
	others: new Map([[keyOfZone('a'), {size: 10, notReady: 1}]]),
	...{evictionStarts: new Map(), traceless: new Set()},
};

/** When zone a, which gets a token each 20 s, has the next one, in seconds from now. */
function tokenAfter(affected: Partial<AffectedNodes>, waitingSince: readonly Instant[] = []) {
	const token = nextToken({
		...{zone: keyOfZone('a'), affected: {...nothing, ...affected}, now, waitingSince},
		settings: {...settingsFor('v1.36.3'), nodeEvictionRate: 0.05},
		past: {state: 'Normal', count: {size: 10, notReady: 1}, rate: 0.05},
		schedule: {nextPass: now + 3 * second, period: 5 * second, idlePeriod: 5 * second, firstPass: 0},
	});
	return token && [token.lo, token.hi].map((instant) => Math.round((instant - now) / second));
}

test('where nothing took a token lately there is one', () => {
	expect(tokenAfter({})).toEqual([0, 0]);
});

test('a node that came back may have taken a token of its own zone with it, until the pass that saw it', () => {
	const returned = (zone: string, ago: number) => [{zone: keyOfZone(zone), at: at(now - ago * second)}];
	expect(tokenAfter({returned: returned('a', 12)})).toEqual([0, 13]);
	expect(tokenAfter({returned: returned('a', 3)})).toEqual([0, 20]);
	expect(tokenAfter({returned: returned('b', 12)})).toEqual([0, 0]);
	const both = [...returned('a', 12), ...returned('b', 3)];
	expect(tokenAfter({returned: both})).toEqual([0, 13]);
});

test('a node that was deleted while it waited may take one once those that wait had theirs', () => {
	const node = aNode('n1', {labels: inZone('a'), conditions: [aCondition('Ready', 'Unknown')]});
	const deleted = (ago: number) => [{one: {node}, at: at(now - ago * second), evictionStart: undefined}];
	const after = (ago: number, waitingSince: readonly Instant[]) =>
		tokenAfter({deleted: deleted(ago) as unknown as AffectedNodes['deleted']}, waitingSince);
	// Its own turn, and 20 s until the next.
	expect(after(30, [])).toEqual([0, 10]);
	expect(after(50, [now])).toEqual([0, 10]);
	expect(after(70, [])).toEqual([0, 0]);
});
