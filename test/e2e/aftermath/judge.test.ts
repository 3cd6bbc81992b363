import {expect, test} from 'vitest';
import {judge} from './judge.ts';
import {namespace} from './names.ts';
import type {JsonPod, JsonRange, JsonWorkload, Prediction} from './prediction.ts';
import {type SeenPod, Truth} from './truth.ts';
import {workloads} from './workloads.ts';

const diedAt = Date.parse('2026-01-31T14:00:00Z');
const iso = (seconds: number) => new Date(diedAt + seconds * 1000).toISOString();
const range = (from: number, to: number) => ({earliest: iso(from), expected: iso(from), latest: iso(to)});

const seen = (name: string, fields: Partial<SeenPod> = {}): SeenPod => ({
	...{name: `${namespace}/${name}`, uid: name, app: 'web', createdAt: diedAt - 10_000, node: 'b-1'},
	...{
		isReady: false,
		readyAt: undefined,
		isUnschedulable: false,
		terminatingAt: undefined,
		goneAt: undefined,
	},
	...fields,
});
const lost = seen('web-1', {terminatingAt: diedAt + 90_000});
const successor = seen('web-2', {
	createdAt: diedAt + 90_100,
	node: 'a-1',
	isReady: true,
	readyAt: diedAt + 91_000,
});

const pod = (after: JsonPod['after'], fields: Partial<JsonPod> = {}): JsonPod => ({
	...{metadata: {namespace, name: 'web-1', uid: 'web-1'}, node: 'b-1', verdict: 'Expected'},
	...{eviction: range(80, 100), after},
	...fields,
});
const stuck = 'its object stays Terminating';
const fits = {outcome: 'Replaced', detail: stuck, placement: 'Fits'};
const workload = (lowest: JsonWorkload['lowest']): JsonWorkload => ({
	...{kind: 'Deployment', name: 'web', readyNow: 6, reachesZero: lowest.ready === 0, lowest},
	readyAgain: {first: range(80, 110), all: range(80, 110)},
	endpoints: [{service: 'web', readyNow: 6, lowest: {ready: 5, at: range(40, 50)}}],
});

/** The failures of a prediction for Deployment web, which went from six to five ready pods after 45 s. */
function failuresOf(
	predicted: {readonly pod?: JsonPod; readonly workload?: JsonWorkload},
	pods: readonly SeenPod[] = [lost, successor],
): readonly string[] {
	const truth = new Truth();
	for (const one of pods) truth.pods.set(one.uid, one);
	const counts = [
		{at: diedAt - 5000, ready: 6},
		{at: diedAt + 45_000, ready: 5},
		{at: diedAt + 95_000, ready: 6},
	];
	truth.counts.set('Deployment/web', counts);
	truth.counts.set('Service/web', counts);
	const prediction: Prediction = {
		name: 'at once',
		pods: [predicted.pod ?? pod(fits)],
		workloads: [predicted.workload ?? workload({ready: 5, at: range(40, 50)})],
	};
	return judge(prediction, truth, diedAt, false)
		.filter(({name}) => /Deployment web|service web/.test(name))
		.flatMap(({failures}) => failures);
}

test('what comes as it was said is right', () => {
	expect(workloads.some(({name}) => name === 'web')).toBe(true);
	expect(failuresOf({})).toEqual([]);
});

test('a workload that is ready sooner or later than was said, or though it was said to need somebody, is wrong', () => {
	const said = workload({ready: 5, at: range(40, 50)});
	const againAt = (first: JsonRange, all: JsonRange) =>
		failuresOf({workload: {...said, readyAgain: {first, all}}});
	expect(againAt(range(93, 99), range(80, 85))).toEqual([
		'first ready at +91.0, said not before +93.0, by +99.0',
		'all ready at +91.0, said not before +80.0, by +85.0',
	]);
	expect(againAt(range(80, 110), null)).toEqual(['all ready at +91.0, said never by itself']);
});

test.for<{
	name: string;
	predicted?: Parameters<typeof failuresOf>[0];
	pods?: readonly SeenPod[];
	failure: RegExp;
}>([
	{
		name: 'another lowest point',
		predicted: {workload: workload({ready: 4, at: range(40, 50)})},
		failure: /4 ready were said, 5 came/,
	},
	{
		name: 'a lowest point at another time',
		predicted: {workload: workload({ready: 5, at: range(30, 40)})},
		failure: /at \+45\.0, said \+30\.0\.\.40\.0/,
	},
	{
		name: 'another outcome',
		predicted: {pod: pod({outcome: 'Lost', detail: stuck})},
		failure: /Replaced should be said, is Lost/,
	},
	{
		name: 'a successor that finds no node, though it was said to',
		pods: [lost, {...successor, node: '', isUnschedulable: true}],
		failure: /its successors find a node/,
	},
	{name: 'no successor at all', pods: [lost], failure: /replaced: false/},
	{
		name: 'an object that is gone, though it was said to stay behind',
		pods: [{...lost, goneAt: diedAt + 95_000}, successor],
		failure: /stays Terminating: false/,
	},
	{name: 'no pod in the zone', pods: [successor], failure: /nothing is proved/},
])('it finds $name', ({predicted = {}, pods, failure}) => {
	expect(failuresOf(predicted, pods).join('\n')).toMatch(failure);
});
