import {expect, test} from 'vitest';
import {Random} from '../../src/core/time/random.ts';
import {isDeep, playDrawn, seedsOf} from '../support/drawn.ts';
import {type OutageOptions, outageOf, withDeletedNodes} from '../support/outages.ts';
import type {Scenario} from '../support/scenario/scenario.ts';
import {runShadow, type ShadowRunOptions} from '../support/shadowRun.ts';

/** Reasons that name real steps of the scenario. */
const played = ['ControllerRestarted', 'ControllerDown', 'ForeignTaint'];
/** The same for a shadow with observation gaps. */
const blind = [...played, 'ObservationGap'];

/** A time in which only one watch is dead, until its silence is noticed. */
function aSilence(seed: number, of: 'node' | 'pod'): ShadowRunOptions {
	const random = new Random(seed);
	const from = Math.round(30 + random.next() * 200);
	return {silence: {of, from, until: from + Math.round(30 + random.next() * 60)}};
}

/** An observation gap somewhere in an outage. */
function aGap(seed: number): NonNullable<ShadowRunOptions['gaps']> {
	const random = new Random(seed);
	const from = Math.round(30 + random.next() * 200);
	return [{from, until: from + Math.round(3 + random.next() * 40), isForgotten: random.next() < 0.5}];
}

type Sort = {
	readonly name: string;
	readonly options: OutageOptions;
	/** Whether nodes are deleted, and their pods collected. */
	readonly losesNodes?: boolean;
	readonly seen?: (seed: number) => ShadowRunOptions;
	readonly allowed?: readonly string[];
};

const sorts: readonly Sort[] = [
	{name: 'outages of nodes alone', options: {}},
	{name: 'outages with taints that users set', options: {hasUserTaints: true}},
	{name: 'outages with a restart', options: {hasRestart: true}},
	{name: 'outages through a throttled client', options: {isThrottled: true}},
	{name: 'outages of nodes with wrong clocks', options: {hasWrongClocks: true}},
	{
		name: 'outages in which nodes are deleted',
		options: {hasUserTaints: true, hasRestart: true},
		losesNodes: true,
	},
	{name: 'outages of which no event tells', options: {}, seen: () => ({lostEvents: 1})},
	{
		name: 'outages of which a time is not seen',
		options: {hasUserTaints: true},
		seen: (seed) => ({gaps: aGap(seed)}),
		allowed: blind,
	},
	...(['node', 'pod'] as const).map((of) => ({
		name: `outages with a silent watch of ${of}s`,
		options: {hasUserTaints: true},
		seen: (seed: number) => aSilence(seed, of),
		allowed: blind,
	})),
	{
		name: 'outages that have begun before',
		options: {hasRestart: true},
		seen: (seed) => ({startsAt: Math.round(30 + new Random(seed).next() * 200)}),
		allowed: blind,
	},
];

/** A quick run ends after four minutes, while nodes still come and go. */
const playedOf = (scenario: Scenario): Scenario =>
	isDeep ? scenario : {...scenario, until: Math.min(scenario.until, 240)};

const drawnOf = ({name}: Sort) => ({suite: 'shadow', kind: name, count: 4});

// A run takes seconds: the slice leaves out kinds that are part of others.
test.for(sorts.filter((sort) => seedsOf(drawnOf(sort)).length > 0))(
	'with the right settings nothing diverges in $name',
	(sort) => {
		const {options, losesNodes = false, seen, allowed = played} = sort;
		let matches = 0;
		const wrong = playDrawn(drawnOf(sort), (seed) => {
			const {scenario: outage, clockOffset} = outageOf(seed, options);
			const scenario = playedOf(losesNodes ? withDeletedNodes(outage, seed) : outage);
			const traits = {hasPodGc: losesNodes};
			const run = runShadow(scenario, {seed, clockOffset, traits, ...seen?.(seed)});
			matches += run.matches.length;
			const alarms = run.reported.filter(({reason, isAlarm}) => reason === 'ObservationGap' && isAlarm);
			return [...run.divergences.filter(({reason}) => !allowed.includes(reason)), ...alarms].map(
				(one) => `seed ${seed} ${JSON.stringify(one)}`,
			);
		});
		expect(wrong.flat()).toEqual([]);
		expect(matches).toBeGreaterThan(wrong.length);
	},
);

/** Outages with former bugs. */
const once: readonly {name: string; seed: number; options: OutageOptions}[] = [
	{name: 'a bucket that filled up at the rate of before', seed: 73, options: {hasUserTaints: true}},
	{name: 'a taint that goes again soon', seed: 35, options: {hasUserTaints: true}},
	{name: 'a taint that is written once more', seed: 87, options: {}},
	{name: 'a node that waits while all zones go down', seed: 11, options: {}},
	{
		name: 'a taint before the pass that stops its zone',
		seed: 32,
		options: {hasUserTaints: true, hasRestart: true},
	},
];

test.for(isDeep ? once : [])('$name is no divergence', ({seed, options}) => {
	const {divergences} = runShadow(outageOf(seed, options).scenario, {seed});
	expect(divergences.filter(({reason}) => !played.includes(reason))).toEqual([]);
});

test('kubelets whose clocks are wrong turn Unknown when they should, also where they were found so', () => {
	const {scenario, clockOffset} = outageOf(14, {hasWrongClocks: true});
	const {divergences} = runShadow(scenario, {seed: 14, clockOffset, startsAt: 150});
	expect(divergences.filter(({reason}) => !blind.includes(reason))).toEqual([]);
});

test.for(isDeep ? [25] : [])(
	'a deletion for a taint that a dead watch has not brought is no alarm: seed %i',
	(seed) => {
		const {scenario} = outageOf(seed, {hasUserTaints: true, hasRestart: true});
		const {reported} = runShadow(scenario, {seed, ...aSilence(seed, 'node')});
		expect(reported.filter(({reason}) => !blind.includes(reason))).toEqual([]);
	},
);
