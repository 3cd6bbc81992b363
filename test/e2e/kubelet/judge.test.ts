import {expect, test} from 'vitest';
import type {Report} from '../pressureForecasts.ts';
import {judgePlayed, measure, type Played} from './judge.ts';
import {evictionsIn} from './truth.ts';

const start = Date.parse('2026-11-23T12:00:00.000Z');
const at = (seconds: number) => start + seconds * 1000;
const written = (seconds: number) => new Date(at(seconds)).toISOString();

/** The prediction for a pod: its range in seconds from the start, which may have no end. */
type Victim = {
	readonly name: string;
	readonly range: readonly [number, number?];
	readonly certain?: true;
	readonly place?: number;
};

function report(seconds: number, ...victims: readonly Victim[]): Report {
	const evictions = victims.map(({name, range: [earliest, latest], certain = false, place = 1}) => ({
		name,
		certain,
		place: {first: place, last: place},
		eviction: {
			earliest: written(earliest),
			expected: written(earliest),
			latest: latest === undefined ? null : written(latest),
		},
	}));
	const item = {observedAt: written(seconds), evictions, overLimits: [], oomKills: [], gaps: []};
	return {seenAt: at(seconds), metadata: {observedAt: written(seconds), problems: []}, items: [item]};
}

function played(reports: readonly Report[], victims: Readonly<Record<string, number>>): Played {
	return {
		scenario: 'a leak',
		isSteady: true,
		reports,
		evictions: Object.entries(victims).map(([pod, seconds]) => ({
			pod,
			at: at(seconds),
			cause: 'pressure',
			message: '',
		})),
		endedAt: at(130),
	};
}

const failuresOf = (one: Played) => judgePlayed(one).map(({failures}) => failures.length);

test('what came as it was said passes', () => {
	const reports = [
		report(10, {name: 'leak', range: [80, 120]}),
		report(90, {name: 'leak', range: [95, 105], certain: true}, {name: 'calm', range: [110]}),
	];
	expect(failuresOf(played(reports, {leak: 100}))).toEqual([0, 0, 0]);
	expect(measure(played(reports, {leak: 100}))).toEqual({
		victims: ['leak'],
		inside: 2,
		named: 2,
		certain: 1,
		stayed: 0,
		rightFirst: 2,
		saidFirst: 2,
		lead: 90_000,
	});
});

test.for([
	{what: 'too early', range: [102, 120]},
	{what: 'too late', range: [80, 98]},
] as const)('a victim that came $what for its range fails', ({range}) => {
	expect(failuresOf(played([report(10, {name: 'leak', range})], {leak: 100}))).toEqual([1, 0, 0]);
});

test('half a second beside its range is the clock of the log', () => {
	const reports = [report(10, {name: 'leak', range: [100.5, 120]})];
	expect(failuresOf(played(reports, {leak: 100}))).toEqual([0, 0, 0]);
});

test('a certain pod that stays beyond its range fails; before its end nobody knows', () => {
	const leak = {name: 'leak', range: [80, 120]} as const;
	const stays = {name: 'calm', range: [101, 129], certain: true, place: 2} as const;
	const open = {name: 'other', range: [101, 131], certain: true, place: 3} as const;
	expect(failuresOf(played([report(10, leak, stays, open)], {leak: 100}))).toEqual([0, 1, 0]);
});

test('a first victim that is named late, or never, fails', () => {
	const late = [report(41, {name: 'leak', range: [80, 120]})];
	expect(failuresOf(played(late, {leak: 100}))).toEqual([0, 0, 1]);
	expect(failuresOf(played([], {leak: 100}))).toEqual([0, 0, 1]);
	expect(failuresOf(played([], {}))).toEqual([0, 0, 1]);
});

test('an eviction is when it was decided first, with its cause', () => {
	const pod = (name: string) => ({name, namespace: 'default'});
	const log = [
		{ts: at(1), msg: 'Eviction manager: attempting to reclaim'},
		{ts: at(2), msg: 'Evicting pod', pod: pod('a'), message: 'The node was low on resource: memory. ...'},
		{ts: at(12), msg: 'Evicting pod', pod: pod('a'), message: 'The node was low on resource: memory. ...'},
		{ts: at(13), msg: 'Evicting pod', pod: pod('b'), message: 'Usage of EmptyDir volume "d" exceeds ...'},
	];
	const short = evictionsIn(log).map(({pod, at, cause}) => [pod, at - start, cause]);
	expect(short).toEqual([
		['a', 2000, 'pressure'],
		['b', 13_000, 'limit'],
	]);
});
