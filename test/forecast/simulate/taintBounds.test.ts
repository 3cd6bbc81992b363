import {expect, test} from 'vitest';
import type {Taint} from '../../../src/core/model/taint.ts';
import {second} from '../../../src/core/time/instant.ts';
import {taintBoundsOf} from '../../../src/forecast/simulate/taintBounds.ts';
import type {NodeTrajectory, Trajectory} from '../../../src/forecast/simulate/trajectory.ts';

/** The bounds of a node that is back at `backAt`, in a trajectory with a throttled pass from `throttledFrom` on; in seconds. */
function boundsIn(backAt: number | undefined, throttledFrom: number | undefined, throttledUntil?: number) {
	const taints = [{at: 0, taints: [], isExact: true}];
	const trajectory = {
		nodes: new Map([['n1', {taints, readiness: [], goneAt: undefined, isUnnoticed: false}]]),
		zones: new Map(),
		throttledFrom: throttledFrom === undefined ? undefined : throttledFrom * second,
		throttledUntil: throttledUntil === undefined ? undefined : throttledUntil * second,
		...{endsAt: 100 * second, isControlled: true},
	} as unknown as Trajectory;
	const group = {nodes: ['n1'], zone: 'a', backAt: backAt === undefined ? undefined : backAt * second};
	const uncertain = {
		phaseSpacing: 0,
		period: 5 * second,
		uncertainty: undefined,
		passFrom: (at: number) => at,
		zoneNodes: () => [],
	};
	return taintBoundsOf(group, trajectory, uncertain, false).map(({early, late}) => [
		early.map(({at, taints}) => [at / second, ...taints.map(({key}) => key)]),
		late !== undefined,
	]);
}

test('a node that comes back during a throttled pass may have been found before, and keep its taint', () => {
	expect(boundsIn(30, 20)).toEqual([
		[[[0]], false],
		[[[0], [20, unreachable.key]], false],
	]);
});

test('it loses that taint in the pass after the throttled one', () => {
	const [, found] = boundsIn(30, 20, 40);
	const [moments] = found ?? [];
	expect(moments).toMatchObject([[0], [20, unreachable.key], [expect.any(Number)]]);
	const [clearedAt = 0] = (moments as readonly (readonly number[])[]).at(-1) ?? [];
	expect(clearedAt).toBeGreaterThan(45);
	expect(clearedAt).toBeLessThan(60);
	// One that comes back later keeps it until then.
	const [, [kept] = []] = boundsIn(90, 20, 40);
	const [until = 0] = (kept as readonly (readonly number[])[]).at(-1) ?? [];
	expect(until).toBeGreaterThan(90);
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
	const node = {
		taints: [{at: 0, taints: [], isExact: true}],
		readiness: [
			{at: 10 * second, isReady: false, isUnknown: true},
			{at: 32 * second, isReady: true, isUnknown: false},
		],
		...{goneAt: undefined, isUnnoticed: false},
	};
	const zone = [
		{at: 0, state: 'Normal', rate: 0.1},
		{at: 10 * second, state: 'PartialDisruption', rate: 0},
	];
	const trajectory = {
		nodes: new Map([['n1', node]]),
		zones: new Map([['a', zone]]),
		...{endsAt: 100 * second, isControlled: true},
	} as unknown as Trajectory;
	const group = {nodes: ['n1'], zone: 'a', backAt: undefined};
	const passFrom = (at: number) => Math.ceil(at / (5 * second)) * 5 * second;
	const [asRun, other] = taintBoundsOf(
		group,
		trajectory,
		{phaseSpacing: 0, period: 5 * second, uncertainty: undefined, passFrom, zoneNodes: () => []},
		false,
	);
	expect(asRun?.early.map(({taints}) => taints.length)).toEqual([0]);
	expect(other?.early.map(({at, taints}) => [at / second, ...taints.map(({key}) => key)])).toEqual([
		[0],
		[10, unreachable.key],
		[35.25],
	]);
});

const unreachable: Taint = {key: 'node.kubernetes.io/unreachable', value: '', effect: 'NoExecute'};

/** A node that becomes Unknown at 10 s, when its zone stops, which evicts again from 20 s on; in seconds. */
function racing(
	taintedAt: number,
	zone: readonly {readonly at: number; readonly rate: number}[],
	others: readonly (number | undefined)[] = [],
) {
	const taintsFrom = (at: number | undefined) => [
		{at: 0, taints: [], isExact: true},
		...(at === undefined ? [] : [{at: at * second, taints: [unreachable], isExact: false}]),
	];
	const readiness = [{at: 10 * second, isReady: false, isUnknown: true}];
	const of = (at: number | undefined): NodeTrajectory => ({
		...{taints: taintsFrom(at), readiness, goneAt: undefined, isUnnoticed: false},
	});
	const trajectory = {
		nodes: new Map([['n1', of(taintedAt)]]),
		zones: new Map([['a', zone.map(({at, rate}) => ({at: at * second, state: 'Normal', rate}))]]),
		...{endsAt: 100 * second, isControlled: true},
	} as unknown as Trajectory;
	const zoneNodes = () => [of(taintedAt), ...others.map(of)];
	const uncertain = {
		phaseSpacing: 0,
		period: 5 * second,
		uncertainty: undefined,
		passFrom: (at: number) => at,
		zoneNodes,
	};
	const found = taintBoundsOf({nodes: ['n1'], zone: 'a', backAt: undefined}, trajectory, uncertain, false);
	return found
		.map(({early}) => early.find(({taints}) => taints.length > 0)?.at)
		.map((at) => at && at / second);
}

const stopsAndResumes = [
	{at: 0, rate: 0.1},
	{at: 10.1, rate: 0},
	{at: 20, rate: 0.1},
];

test.for([
	{name: 'alone', others: [], latest: 30.1},
	{name: 'beside one that is tainted later and one that still waits', others: [35, undefined], latest: 50.3},
	{name: 'beside one that was tainted before', others: [5], latest: 30.1},
])('tainted just before its zone stops, or once that evicts again: $name', ({others, latest}) => {
	expect(racing(10.05, stopsAndResumes, others)).toEqual([10.05, 20, latest]);
});

test('tainted once its zone evicts again, or in the pass that stopped it', () => {
	expect(racing(30, stopsAndResumes)).toEqual([30, 10]);
});

test('where the zone is stopped again before its turn surely comes, it may never be tainted', () => {
	expect(racing(10.05, [...stopsAndResumes, {at: 25, rate: 0}])).toEqual([10.05, 20, undefined]);
});
