import {expect, test} from 'vitest';
import type {JsonPod} from '../aftermath/prediction.ts';
import type {SeenPod} from '../aftermath/truth.ts';
import {judgeAgain, type Played} from './judge.ts';

const diedAt = Date.parse('2026-01-31T14:00:00Z');
const at = (seconds: number) => diedAt + seconds * 1000;
const iso = (seconds: number) => new Date(at(seconds)).toISOString();

const pod = (name: string, fields: Partial<SeenPod>): SeenPod => ({
	...{name: `shop/${name}`, uid: name, app: 'web', createdAt: at(-60), node: 'b-1', isReady: false},
	...{readyAt: undefined, isUnschedulable: false, terminatingAt: undefined, goneAt: undefined},
	...fields,
});

const told = (readyAfter?: {least: number; most: number | null}): JsonPod => ({
	...{metadata: {namespace: 'shop', name: 'web-1', uid: 'web-1'}, node: 'b-1', verdict: 'Expected'},
	eviction: {earliest: iso(80), expected: iso(85), latest: iso(90)},
	after: {outcome: 'Replaced', detail: '', ...(readyAfter && {readyAfter})},
});

/** What is found of a pod that was deleted after 85 s, and whose successor was ready at the given second. */
function resultOf(said: JsonPod, readyAt: number | undefined, played: Partial<Played> = {}) {
	const pods = [
		pod('web-1', {terminatingAt: at(85)}),
		pod('web-2', {createdAt: at(85), node: 'a-1', readyAt: readyAt && at(readyAt)}),
	];
	const of = {diedAt, endedAt: at(300), dead: ['b-1'], deedAt: new Map<string, number>(), pods, ...played};
	return judgeAgain({name: 'at once', askedAt: at(1), pods: [said]}, of).map(({result}) => result);
}

test.for<[said: Parameters<typeof told>[0], readyAt: number | undefined, result: string]>([
	[{least: 0, most: 20}, 100, 'inside'],
	[{least: 0, most: 20}, 112, 'after'],
	[{least: 0, most: 20}, undefined, 'after'],
	[{least: 30, most: 60}, 100, 'before'],
	[{least: 0, most: null}, 200, 'insideOpen'],
	[{least: 0, most: null}, undefined, 'open'],
	[undefined, undefined, 'never'],
	[undefined, 100, 'notNever'],
])('said %j, ready at %s: %s', ([said, readyAt, result]) => {
	expect(resultOf(told(said), readyAt)).toEqual([result]);
});

test('what somebody does afterwards is not foreseen', () => {
	const deedAt = new Map([['b-1', at(90)]]);
	expect(resultOf(told(), 100, {deedAt})).toEqual(['open']);
	expect(resultOf(told({least: 0, most: 20}), 100, {deedAt})).toEqual(['inside']);
});
