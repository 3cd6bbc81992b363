import {expect, test} from 'vitest';
import {notReadyTaint, unreachableTaint} from '../../../src/core/model/taint.ts';
import {taintBoundsOfGroup} from '../../../src/forecast/simulate/taintBounds.ts';
import type {NodeTrajectory, Trajectory} from '../../../src/forecast/simulate/trajectory.ts';

test('a swap is off by as much as a new taint, though it removes the one that was there', () => {
	const [notReady, both, swapped] = [[notReadyTaint], [notReadyTaint, unreachableTaint], [unreachableTaint]];
	const node: NodeTrajectory = {
		taints: [
			{at: 0, taints: notReady, isExact: true},
			{at: 10_000, taints: both, isExact: false},
			{at: 10_020, taints: swapped, isExact: false},
		],
		...{readiness: [], goneAt: undefined, isUnnoticed: false},
	};
	const trajectory: Trajectory = {
		...{
			nodes: new Map([['a0', node]]),
			zones: new Map(),
			throttledFrom: undefined,
			throttledUntil: undefined,
		},
		...{endsAt: 60_000, isControlled: true, queued: new Set(), waiting: new Map(), tokens: new Map()},
		...{due: new Map(), passStarts: [], isPassing: false},
	};
	const [bounds] = taintBoundsOfGroup({zone: '', nodes: ['a0'], backAt: undefined}, trajectory, {
		...{phaseSpacing: 500, period: 5000, widen: (range) => range, own: unreachableTaint},
	});
	const swaps = [bounds?.early, bounds?.late].map(
		(moments) => moments?.find(({taints}) => taints.includes(unreachableTaint))?.at,
	);
	expect(swaps).toEqual([9500, 10_500]);
});
