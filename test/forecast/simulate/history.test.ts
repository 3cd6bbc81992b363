import {expect, test} from 'vitest';
import {second} from '../../../src/core/time/instant.ts';
import {historiesOf} from '../../../src/forecast/simulate/history.ts';
import type {Trajectory} from '../../../src/forecast/simulate/trajectory.ts';

/** What may happen to a node that is back at an instant, in a trajectory with a long pass from another on; in seconds. */
function historiesIn(backAt: number | undefined, longPassFrom: number | undefined) {
	const taints = [{at: 0, taints: [], isExact: true}];
	const trajectory = {
		nodes: new Map([['n1', {taints, readiness: [], goneAt: undefined, isLeft: false}]]),
		zones: new Map(),
		longPassFrom: longPassFrom === undefined ? undefined : longPassFrom * second,
		endsAt: 100 * second,
	} as unknown as Trajectory;
	const group = {nodes: ['n1'], zone: 'a', backAt: backAt === undefined ? undefined : backAt * second};
	return historiesOf(group, trajectory, {gap: 0, uncertainty: undefined}, false).map(({early, late}) => [
		early.map(({at, taints}) => [at / second, ...taints.map(({key}) => key)]),
		late !== undefined,
	]);
}

test('a node that comes back during a long pass may have been found before, and keep its taint', () => {
	const unreachable = 'node.kubernetes.io/unreachable';
	expect(historiesIn(30, 20)).toEqual([
		[[[0]], false],
		[[[0], [20, unreachable]], false],
	]);
});

test.for([
	{name: 'before the pass', backAt: 10, longPassFrom: 20},
	{name: 'as it begins', backAt: 20, longPassFrom: 20},
	{name: 'where no pass is long', backAt: 30, longPassFrom: undefined},
	{name: 'never', backAt: undefined, longPassFrom: 20},
])('one that comes back $name is not found in a long pass', ({backAt, longPassFrom}) => {
	expect(historiesIn(backAt, longPassFrom)).toEqual([[[[0]], true]]);
});
