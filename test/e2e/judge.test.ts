import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {TemporaryFolder} from '../support/testEnvironment.ts';
import {deletions, type Evidence, isInside, judgeAll, judgeOutcome, judgeStay, nodeSteps} from './judge.ts';
import {followsLostToken, lostTokens} from './lostTokens.ts';
import type {Divergence} from './shadow/divergence.ts';

const range = (earliest: number, latest: number | null) => ({earliest, expected: earliest, latest});
const nothing: Evidence = {
	pods: [],
	nodes: [],
	changes: [],
	outages: [{at: 0, nodes: ['a-1']}],
	endedAt: 300_000,
};
const scheduled = {
	observedAt: 60_000,
	pod: 'shop/a-1-brief',
	verdict: 'Scheduled',
	eviction: range(70_000, 75_000),
};
const deletedAt = (at: number) => [{at, object: 'pod/shop/a-1-brief', what: 'Terminating'}];

test.for([
	{name: 'within', at: 12_000, want: true},
	{name: 'early by the tolerance', at: 9000, want: true},
	{name: 'too early', at: 8999, want: false},
	{name: 'late by the tolerance', at: 16_000, want: true},
	{name: 'too late', at: 16_001, want: false},
])('a range of 10 to 15 s, $name', ({at, want}) => {
	expect(isInside(at, range(10_000, 15_000))).toBe(want);
});

test('nothing is too late for a range without an end', () => {
	expect(isInside(1e12, range(10_000, null))).toBe(true);
});

test.for([
	{name: 'inside passes', at: 71_000, want: []},
	{
		name: 'outside fails, and says by how much',
		at: 80_000,
		want: ['Scheduled 20.0 s before: +5.0 s off the range'],
	},
	{name: 'before any forecast fails', at: 50_000, want: ['it was not forecast']},
])('a deletion $name', ({at, want}) => {
	const [deletion] = deletions({...nothing, pods: [scheduled], changes: deletedAt(at)});
	expect(deletion && judgeOutcome(deletion)).toEqual({name: 'shop/a-1-brief', failures: want});
});

test('what was said before the controller lost a token of the zone is not judged', () => {
	const wrong = {...scheduled, eviction: range(60_000, 62_000)};
	const judged = (zone: string, ...predictions: (typeof scheduled)[]) => {
		const lostTokens = [{zone, at: 61_000}];
		const [deletion] = deletions({...nothing, pods: predictions, changes: deletedAt(71_000), lostTokens});
		return deletion && judgeOutcome(deletion).failures;
	};
	expect(judged('a', wrong, {...scheduled, observedAt: 62_000})).toEqual([]);
	expect(judged('a', {...wrong, observedAt: 61_300}, {...scheduled, observedAt: 62_000})).toEqual([]);
	expect(judged('a', {...wrong, observedAt: 62_000})).toHaveLength(1);
	expect(judged('b', wrong)).toHaveLength(1);
	expect(judged('a', wrong)).toEqual([]);
	expect(judged('a')).toEqual(['it was not forecast']);
});

test('a lost token delays the taint, not the turn to Unknown', () => {
	const late = {
		...nothing,
		nodes: [
			{observedAt: 40_000, node: 'a-1', verdict: 'Expected', unknown: range(1, 2), noExecute: range(1, 2)},
		],
		changes: ['Ready=Unknown', '+node.kubernetes.io/unreachable:NoExecute'].map((what) => ({
			...{at: 51_000, object: 'node/a-1', what},
		})),
		lostTokens: [{zone: 'a', at: 50_900}],
	};
	expect(nodeSteps(late, 'unknown').map(judgeOutcome)[0]?.failures).toHaveLength(1);
	expect(nodeSteps(late, 'noExecute').map(judgeOutcome)[0]?.failures).toEqual([]);
});

test.for([
	{name: 'a taint of its zone that is late', want: true},
	{
		name: 'a pod of its zone',
		action: 'DeletePod' as const,
		object: {kind: 'Pod', name: 'a-1-brief'},
		want: true,
	},
	{name: 'a taint of another zone', object: {kind: 'Node', name: 'b-1'}, want: false},
	{name: 'a taint that is early', type: 'Early' as const, want: false},
	{name: 'what is noticed before', noticedAt: '2026-11-24T05:40:46.000Z', want: false},
	{name: 'what is noticed long after', noticedAt: '2026-11-24T05:42:47.000Z', want: false},
])('a lost token makes a report true: $name', ({name: _, want, ...rest}) => {
	const report: Divergence = {
		...{metadata: {id: 'x'}, type: 'Missing', action: 'TaintNode', object: {kind: 'Node', name: 'a-1'}},
		...{reason: 'Unexplained', because: [], alarm: true, expected: null, actual: null},
		...{noticedAt: '2026-11-24T05:40:52.000Z', endedAt: null},
		...rest,
	};
	const lost = [{zone: 'a', at: Date.parse('2026-11-24T05:40:47.156Z')}];
	expect(followsLostToken(report, lost)).toBe(want);
});

test('a lost token is found in the log of the controller manager', () => {
	using folder = new TemporaryFolder();
	const log = join(folder.path, 'controller-manager.log');
	writeFileSync(
		log,
		[
			'I1124 05:40:47.151947      40 controller_utils.go:123] "Update ready status of pods on node" node="a-9"',
			`I1124 05:40:47.156676      40 node_lifecycle_controller.go:633] "Node was in a taint queue, but it's ready now. Ignoring taint request" node="a-9"`,
			'',
		].join('\n'),
	);
	const at = new Date(new Date().getFullYear(), 10, 24, 5, 40, 47, 156).getTime();
	expect(lostTokens(log)).toEqual([{zone: 'a', at}]);
	expect(lostTokens(join(folder.path, 'none.log'))).toEqual([]);
});

test('one forecast off the truth fails the deletion, however good the others are', () => {
	const early = {...scheduled, observedAt: 55_000, verdict: 'Expected', eviction: range(90_000, null)};
	const [deletion] = deletions({...nothing, pods: [early, scheduled], changes: deletedAt(72_000)});
	expect(deletion && judgeOutcome(deletion).failures).toHaveLength(1);
});

test('verdicts that promise nothing are no forecasts of a deletion', () => {
	const overdue = {...scheduled, verdict: 'Overdue'};
	const [deletion] = deletions({...nothing, pods: [overdue], changes: deletedAt(90_000)});
	expect(deletion?.predictions).toEqual([]);
});

test('the steps of a node are compared with their own ranges', () => {
	const silent = {observedAt: 30_000, node: 'a-1', verdict: 'Silent'};
	const evidence = {
		...nothing,
		nodes: [{...silent, unknown: range(40_000, 55_000), noExecute: range(40_000, 50_000)}],
		changes: [
			{at: 54_000, object: 'node/a-1', what: 'Ready=Unknown'},
			{at: 54_100, object: 'node/a-1', what: '+node.kubernetes.io/unreachable:NoExecute'},
		],
	};
	expect(nodeSteps(evidence, 'unknown').map(judgeOutcome)).toEqual([{name: 'a-1 unknown', failures: []}]);
	expect(nodeSteps(evidence, 'noExecute').map(judgeOutcome)).toEqual([
		{name: 'a-1 noExecute', failures: ['Silent 24.1 s before: +4.1 s off the range']},
	]);
});

test.for<{name: string; evidence: Partial<Evidence>; want: string}>([
	{
		name: 'a promise without a range',
		evidence: {pods: [{...scheduled, eviction: null}]},
		want: 'a promised eviction has a range',
	},
	{name: 'a deletion that did not come', evidence: {pods: [scheduled]}, want: 'a promised eviction comes'},
	{
		name: 'an alarm about a living node',
		evidence: {pods: [{...scheduled, pod: 'shop/c-1-brief', eviction: range(1e9, null)}]},
		want: 'a pod on a living node is never said to go',
	},
	{
		name: 'an alarm before the outage',
		evidence: {pods: [{...scheduled, eviction: range(1e9, null)}], outages: [{at: 62_000, nodes: ['a-1']}]},
		want: 'a pod on a living node is never said to go',
	},
	{
		name: 'an alarm long after the return',
		evidence: {pods: [scheduled], outages: [{at: 0, nodes: ['a-1'], backAt: 53_999}]},
		want: 'a pod on a living node is never said to go',
	},
	{
		name: 'a deleted pod still said to go',
		evidence: {pods: [{...scheduled, observedAt: 80_000}], changes: deletedAt(71_000)},
		want: 'a deleted pod is shown as Terminating',
	},
])('$name is found', ({evidence, want}) => {
	const failed = judgeAll({...nothing, ...evidence}).filter(({failures}) => failures.length > 0);
	expect(failed.map(({name}) => name)).toEqual([want]);
});

test('what has not happened yet when the recording ends is no broken promise', () => {
	expect(
		judgeAll({...nothing, pods: [scheduled], endedAt: 75_500}).flatMap(({failures}) => failures),
	).toEqual([]);
});

test.for([
	{name: 'said and kept', verdict: 'Stays', changes: [], want: []},
	{name: 'not said', verdict: 'Safe', changes: [], want: ['it was not said']},
	{name: 'said and broken', verdict: 'Stays', changes: deletedAt(80_000), want: ['it went']},
])('a stay $name', ({verdict, changes, want}) => {
	const pods = [{...scheduled, verdict, eviction: null}];
	expect(judgeStay('shop/a-1-brief', {...nothing, pods, changes}).failures).toEqual(want);
});
