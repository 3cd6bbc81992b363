import {expect, test} from 'vitest';
import {second} from '../../../src/core/time/instant.ts';
import {taintBoundsOf} from '../../../src/forecast/simulate/taintBounds.ts';
import type {Trajectory} from '../../../src/forecast/simulate/trajectory.ts';

/** What may happen to a node that is back at an instant, in a trajectory with a throttled pass from another on; in seconds. */
function boundsIn(backAt: number | undefined, throttledFrom: number | undefined) {
	const taints = [{at: 0, taints: [], isExact: true}];
	const trajectory = {
		nodes: new Map([['n1', {taints, readiness: [], goneAt: undefined, isUnreached: false}]]),
		zones: new Map(),
		throttledFrom: throttledFrom === undefined ? undefined : throttledFrom * second,
		endsAt: 100 * second,
	} as unknown as Trajectory;
	const group = {nodes: ['n1'], zone: 'a', backAt: backAt === undefined ? undefined : backAt * second};
	const uncertain = {phaseSpacing: 0, uncertainty: undefined, passFrom: (at: number) => at};
	return taintBoundsOf(group, trajectory, uncertain, false).map(({early, late}) => [
		early.map(({at, taints}) => [at / second, ...taints.map(({key}) => key)]),
		late !== undefined,
	]);
}

test('a node that comes back during a throttled pass may have been found before, and keep its taint', () => {
	const unreachable = 'node.kubernetes.io/unreachable';
	expect(boundsIn(30, 20)).toEqual([
		[[[0]], false],
		[[[0], [20, unreachable]], false],
	]);
});

test.for([
	{name: 'before the pass', backAt: 10, throttledFrom: 20},
	{name: 'as it begins', backAt: 20, throttledFrom: 20},
	{name: 'where no pass is long', backAt: 30, throttledFrom: undefined},
	{name: 'never', backAt: undefined, throttledFrom: 20},
])('one that comes back $name is not found in a throttled pass', ({backAt, throttledFrom}) => {
	expect(boundsIn(backAt, throttledFrom)).toEqual([[[[0]], true]]);
});

test('one that may be tainted just before its zone stops loses the taint in the pass that finds it back', () => {
	const unreachable = 'node.kubernetes.io/unreachable';
	const node = {
		taints: [{at: 0, taints: [], isExact: true}],
		readiness: [
			{at: 10 * second, isReady: false, isUnknown: true},
			{at: 32 * second, isReady: true, isUnknown: false},
		],
		...{goneAt: undefined, isUnreached: false},
	};
	const zone = [
		{at: 0, state: 'Normal', rate: 0.1},
		{at: 10 * second, state: 'PartialDisruption', rate: 0},
	];
	const trajectory = {
		nodes: new Map([['n1', node]]),
		zones: new Map([['a', zone]]),
		endsAt: 100 * second,
	} as unknown as Trajectory;
	const group = {nodes: ['n1'], zone: 'a', backAt: undefined};
	const passFrom = (at: number) => Math.ceil(at / (5 * second)) * 5 * second;
	const [asRun, other] = taintBoundsOf(
		group,
		trajectory,
		{phaseSpacing: 0, uncertainty: undefined, passFrom},
		false,
	);
	expect(asRun?.early.map(({taints}) => taints.length)).toEqual([0]);
	expect(other?.early.map(({at, taints}) => [at / second, ...taints.map(({key}) => key)])).toEqual([
		[0],
		[10, unreachable],
		[35.25],
	]);
});
