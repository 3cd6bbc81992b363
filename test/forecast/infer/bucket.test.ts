import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import {nextToken} from '../../../src/forecast/infer/bucket.ts';
import type {StretchedPass} from '../../../src/forecast/infer/passSchedule.ts';
import type {AffectedNodes} from '../../../src/forecast/observe/affectedNodes.ts';
import {deletedWhileWaiting} from '../../../src/forecast/observe/nodes/deletedNodes.ts';
import {type NodeEvidence, nextNodeEvidence} from '../../../src/forecast/observe/nodes/nodeEvidence.ts';
import {aCondition, aNode, inZone, keyOfZone} from '../../support/builders.ts';

const now = 300 * second;
const at = (instant: Instant) => ({lo: instant, hi: instant});
const nothing: AffectedNodes = {
	...{nodes: [], returned: [], deleted: [], deletedWaiting: [], zonesLeft: new Map(), mayHaveCounted: []},
	others: new Map([[keyOfZone('a'), {size: 10, notReady: 1}]]),
	...{evictionStarts: new Map(), traceless: new Set()},
};

/** When zone a, with a token every 20 s, has its next token, in seconds from now. */
function tokenAfter(affected: Partial<AffectedNodes>, waitingSince: readonly Instant[] = []) {
	const token = nextToken({
		...{
			zone: keyOfZone('a'),
			affected: {...nothing, ...affected, deletedWaiting: deletedWhileWaiting(affected.deleted ?? [])},
			now,
			waitingSince,
		},
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
	// Its own token, and 20 s until the next.
	expect(after(30, [])).toEqual([0, 10]);
	expect(after(50, [now])).toEqual([0, 10]);
	expect(after(70, [])).toEqual([0, 0]);
});

test('nodes that returned since may have gone down in the pass that changed the rate', () => {
	const changed = (name: string, status: 'True' | 'Unknown', ago: number) => ({
		node: aNode(name, {labels: inZone('a'), conditions: [aCondition('Ready', status)]}),
		readyChangedAt: at(now - ago * second),
	});
	const returned = [changed('n4', 'True', 53), changed('n5', 'True', 50)];
	// Only together with those two did the third one, which is down now, slow the zone.
	const nodes = [
		...[changed('n1', 'Unknown', 200), changed('n2', 'Unknown', 200), changed('n3', 'Unknown', 80)],
		...returned,
	] as unknown as AffectedNodes['nodes'];
	const token = nextToken({
		...{zone: keyOfZone('a'), now, waitingSince: []},
		affected: {
			...{...nothing, nodes, others: new Map([[keyOfZone('a'), {size: 2, notReady: 0}]])},
			returned: returned.map(({readyChangedAt}) => ({zone: keyOfZone('a'), at: readyChangedAt})),
			evictionStarts: new Map([['n2', at(now - 110 * second)]]),
		},
		settings: {
			...settingsFor('v1.36.3'),
			...{secondaryNodeEvictionRate: 0.01, largeClusterSizeThreshold: 5, unhealthyZoneThreshold: 0.3},
		},
		past: {state: 'PartialDisruption', count: {size: 7, notReady: 3}, rate: 0.01},
		schedule: {nextPass: now + 3 * second, period: 5 * second, idlePeriod: 5 * second, firstPass: 0},
	});
	expect(token?.hi).toBeGreaterThanOrEqual(now + 20 * second);
	// One of them may have used the last token while it came back.
	expect(token?.hi).toBeLessThanOrEqual(now + 56 * second);
});

test('a node that said that it was not ready after it had been Unknown had changed the rate as it turned Unknown', () => {
	const ready = (status: 'True' | 'Unknown' | 'False') => (evidence: NodeEvidence | undefined, ago: number) =>
		nextNodeEvidence(
			evidence,
			aNode('n3', {
				labels: inZone('a'),
				conditions: [aCondition('Ready', status, {lastTransitionTime: now - ago * second})],
			}),
			[],
			at(now - ago * second),
			now,
		);
	const back = ready('False')(ready('Unknown')(ready('True')(undefined, 3000), 42), 20);
	const unknown = (name: string) => ({
		node: aNode(name, {labels: inZone('a'), conditions: [aCondition('Ready', 'Unknown')]}),
		readyChangedAt: at(now - 52 * second),
		wasReady: true,
	});
	const schedule = {nextPass: now + 3 * second, period: 5 * second, idlePeriod: 5 * second, firstPass: 0};
	const question = {
		...{zone: keyOfZone('a'), now, waitingSince: []},
		affected: {
			...nothing,
			nodes: [unknown('n1'), unknown('n2'), back] as unknown as AffectedNodes['nodes'],
			others: new Map([[keyOfZone('a'), {size: 2, notReady: 0}]]),
			evictionStarts: new Map([['n1', at(now - 52 * second)]]),
		},
		settings: {...settingsFor('v1.36.3'), largeClusterSizeThreshold: 2},
		past: {state: 'PartialDisruption', count: {size: 5, notReady: 3}, rate: 0.01} as const,
	};
	const tokenBy = (stretchedPasses: readonly StretchedPass[]) =>
		Math.round(
			((nextToken({...question, schedule: {...schedule, stretchedPasses}})?.hi ?? 0) - now) / second,
		);
	expect(back.downSince).toEqual({at: at(now - 42 * second), isUnknown: true});
	// The pass of 42 s ago emptied the bucket, 10 s after the last taint.
	expect(tokenBy([])).toBe(58);
	// A pass with many writes empties it at its end.
	expect(tokenBy([{at: now - 42 * second, until: now - 40 * second}])).toBe(60);
});

test('after a change of the rate a node that waits takes the token of the new bucket at once, if there is one', () => {
	const unknown = (name: string, ago: number) => ({
		node: aNode(name, {labels: inZone('a'), conditions: [aCondition('Ready', 'Unknown')]}),
		...{readyChangedAt: at(now - ago * second), wasReady: true},
	});
	const earliest = (waitingSince: readonly Instant[]) => {
		const token = nextToken({
			...{zone: keyOfZone('a'), now, waitingSince},
			affected: {
				...nothing,
				nodes: [unknown('n1', 52), unknown('n2', 52), unknown('n3', 22)] as unknown as AffectedNodes['nodes'],
				others: new Map([[keyOfZone('a'), {size: 2, notReady: 0}]]),
			},
			settings: {...settingsFor('v1.36.3'), largeClusterSizeThreshold: 2},
			past: {state: 'PartialDisruption', count: {size: 5, notReady: 3}, rate: 0.01},
			schedule: {nextPass: now + 3 * second, period: 5 * second, idlePeriod: 5 * second, firstPass: 0},
		});
		return Math.round(((token?.lo ?? 0) - now) / second);
	};
	expect(earliest([now - 52 * second, now - 22 * second])).toBe(78);
	// Nobody waits: the bucket may have been full before.
	expect(earliest([])).toBe(0);
});
