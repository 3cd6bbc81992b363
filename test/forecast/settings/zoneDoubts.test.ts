import {expect, test} from 'vitest';
import {taintUnreachable} from '../../../src/core/model/taint.ts';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {zoneKey} from '../../../src/core/model/zone.ts';
import {type Duration, type Instant, minute, second} from '../../../src/core/time/instant.ts';
import {exactly} from '../../../src/forecast/infer/settingsSpan.ts';
import type {NodeEvidence} from '../../../src/forecast/observe/nodes/nodeEvidence.ts';
import type {Observed} from '../../../src/forecast/observe/observed.ts';
import {zoneDoubts} from '../../../src/forecast/settings/learned/zoneDoubts.ts';
import {aCondition, aNode, aTaint, inZone} from '../../support/builders.ts';

const start = 60 * minute;
const now = start + 5 * minute;

/** A watched node: when it became Unknown, and when its taint arrived, and was added by its own time. */
type Watched = {readonly unknownAt: Instant; readonly taintAt?: Instant; readonly timeAdded?: Instant};

function aWatched(name: string, {unknownAt, taintAt, timeAdded}: Watched): NodeEvidence {
	const taint = {...aTaint(taintUnreachable), ...(timeAdded !== undefined && {timeAdded})};
	return {
		node: aNode(name, {
			labels: inZone('a'),
			taints: taintAt === undefined ? [] : [taint],
			conditions: [aCondition('Ready', 'Unknown', {lastTransitionTime: unknownAt})],
		}),
		readyChangedAt: {lo: unknownAt - 100, hi: unknownAt},
		wasReady: true,
		taintedAt: taintAt === undefined ? undefined : {lo: taintAt - 100, hi: taintAt},
	} as unknown as NodeEvidence;
}

function doubtsOf(watched: readonly Watched[], {healthy = 8, pods = 1, startedAt = 0} = {}) {
	const nodes = watched.map((one, index) => aWatched(`a${index}`, one));
	const zone = zoneKey(aNode('a', {labels: inZone('a')}));
	const observed = {
		now,
		settings: defaultSettings,
		leader: {type: 'running', since: undefined, holder: '', missedFor: 0},
		evidence: {
			nodes: new Map(nodes.map((one) => [one.node.name, one])),
			controllersStarted: {lo: startedAt, hi: startedAt},
			pods: {mapOfNode: () => ({size: pods})},
		},
		affected: {
			nodes,
			others: new Map([
				[zone, {size: healthy, notReady: 0}],
				['b', {size: 50, notReady: 0}],
			]),
			...{returned: [], deleted: [], zonesLeft: new Map(), mayHaveCounted: []},
		},
	} as unknown as Observed;
	return zoneDoubts(observed, exactly(defaultSettings)).doubts.map(({seen}) => seen);
}

test('taints that arrive a little too soon after each other may have waited, where they do not say when they were added', () => {
	const pair = (apart: Duration, timeAdded?: Duration) =>
		doubtsOf([
			{unknownAt: start, taintAt: start + second, ...(timeAdded !== undefined && {timeAdded: start})},
			{
				unknownAt: start,
				taintAt: start + second + apart,
				...(timeAdded !== undefined && {timeAdded: start + timeAdded}),
			},
		]);
	expect(pair(9.2 * second)).toEqual([]);
	expect(pair(9.2 * second, 10 * second)).toEqual([]);
	expect(pair(5 * second)).toEqual(['zone eu/a tainted 2 nodes in 7.6s']);
	expect(pair(9.2 * second, 7 * second)).toHaveLength(1);
});

test('a zone that goes on is doubted only where no pass could be long', () => {
	const watched = Array.from({length: 12}, (_, index): Watched => {
		const taintAt = start + 4 * minute;
		return {unknownAt: start + 190 * second, ...(index === 0 && {taintAt, timeAdded: taintAt - second})};
	});
	const goesOn = 'zone eu/a went on though it should have stopped';
	expect(doubtsOf(watched)).toEqual([goesOn]);
	expect(doubtsOf(watched, {pods: 30})).toEqual([]);
	expect(doubtsOf(watched, {startedAt: start + 225 * second})).toEqual([]);
	expect(doubtsOf(watched, {healthy: 12})).not.toContain(goesOn);
});

test('a node that waits for long is doubted only once all zones were quiet, and the controllers had begun', () => {
	const waits = [{unknownAt: start, taintAt: start + 10 * second}, {unknownAt: start}];
	expect(doubtsOf(waits)).toEqual(['node a1 of zone eu/a has waited 4m50s for its taint']);
	expect(doubtsOf(waits, {pods: 200})).toEqual([]);
	expect(doubtsOf(waits, {startedAt: now - 20 * second})).toEqual([]);
});

test('the first node of a zone that waits is doubted sooner, as the bucket is full', () => {
	const told = (ago: number, {tainted = false, startedAt = start - 10 * minute} = {}) => {
		const unknownAt = now - ago * second;
		const before = {unknownAt: unknownAt - minute, taintAt: unknownAt - 10 * second};
		return doubtsOf([...(tainted ? [before] : []), {unknownAt}], {startedAt});
	};
	expect(told(14)).toEqual([]);
	expect(told(18)).toEqual(['node a0 of zone eu/a has waited 18s for its taint']);
	// A node that was tainted shortly before used the token, and new controllers queue all nodes again.
	expect(told(18, {tainted: true})).toEqual([]);
	expect(told(18, {startedAt: now - 30 * second})).toEqual([]);
});

test('thousands of silent nodes are looked through at once', () => {
	const begin = performance.now();
	doubtsOf(
		Array.from({length: 4000}, (_, index) => ({
			unknownAt: start + index * 10,
			...(index < 800 && {taintAt: start + 50 * second + index * 300}),
		})),
	);
	expect(performance.now() - begin).toBeLessThan(5 * second);
});
