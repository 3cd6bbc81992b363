import {expect, test} from 'vitest';
import type {PodForecast} from '../contract.ts';
import {judgeMixed, type MixedEvidence} from './judge.ts';
import type {End, JsonActor} from './truth.ts';

const byTaint: JsonActor = {kind: 'TaintEviction'};
const byPerson: JsonActor = {kind: 'TaintEviction', by: 'kubectl-taint'};
const pod = 'shop/a-1-brief';
const endsAt = 100_000;

const shown = (observedAt: number, earliest: number, latest: number): PodForecast => ({
	...{observedAt, pod, verdict: 'Expected'},
	eviction: {earliest, expected: earliest, latest},
});

/** What is counted of the end of one pod, and what is wrong with it. */
function judge(actor: JsonActor, evidence: Partial<MixedEvidence>) {
	const end: End = {pod, at: endsAt, node: 'a-1', actor};
	const {checks, tally} = judgeMixed({
		...{ends: [end], seen: [{pod, at: endsAt, actor, isInside: true}], shown: [], disturbed: []},
		...{announced: new Map(), taintedAt: new Map(), died: new Map(), endedAt: 110_000},
		...evidence,
	});
	return {...tally, wrong: checks[0]?.failures.length};
}

const early = shown(60_000, 80_000, 90_000);
const right = shown(85_000, 98_000, 101_000);
const died = new Map([['a-1', 20_000]]);

test.for<{name: string; actor: JsonActor; evidence: Partial<MixedEvidence>; known: number; wrong: number}>([
	{
		name: 'a right range',
		actor: byTaint,
		evidence: {shown: [shown(40_000, 98_000, 101_000)], died},
		known: 1,
		wrong: 0,
	},
	{name: 'a wrong range', actor: byTaint, evidence: {shown: [early, right], died}, known: 1, wrong: 1},
	{
		name: 'what was said before the controller lost a token of its zone',
		actor: byTaint,
		evidence: {shown: [early, right], died, disturbed: [{at: 80_000, node: 'a'}]},
		known: 1,
		wrong: 0,
	},
	{
		name: 'a change of another zone',
		actor: byTaint,
		evidence: {shown: [early, right], died, disturbed: [{at: 80_000, node: 'b'}]},
		known: 1,
		wrong: 1,
	},
	{
		name: 'a person who taints its node',
		actor: byPerson,
		evidence: {shown: [early, right]},
		known: 0,
		wrong: 0,
	},
	{
		name: "a person's taint that it tolerates for a while",
		actor: byPerson,
		evidence: {shown: [early], taintedAt: new Map([['a-1', 85_000]])},
		known: 1,
		wrong: 1,
	},
	{name: 'a request', actor: {kind: 'DeleteRequest'}, evidence: {shown: [early], died}, known: 0, wrong: 0},
])('what could be known of an end is judged: $name', ({actor, evidence, known, wrong}) => {
	expect(judge(actor, evidence)).toMatchObject({known, wrong, predicted: known - wrong});
});
