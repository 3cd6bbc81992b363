import {expect, test} from 'vitest';
import {controllerManagerLease, type Lease} from '../../../src/core/model/lease.ts';
import {second} from '../../../src/core/time/instant.ts';
import {acquiredAt, holderClockOffset, judgeLeader} from '../../../src/forecast/observe/leader.ts';
import {ObservedTime} from '../../../src/forecast/observe/observedTime.ts';

const allSeen = new ObservedTime();

/** A lease acquired at 100 s and renewed at 160.4 s, by a clock that is `fast` ahead. */
function leaseOf(fast: number): Lease {
	return {
		...controllerManagerLease,
		leaseDuration: 15 * second,
		acquireTime: 100 * second + fast,
		renewTime: 160.4 * second + fast,
		writes: [{manager: 'kube-controller-manager', operation: 'Update', time: 160 * second}],
	};
}

test.for([0, 300, -300, -0.41])('a leader whose clock is fast by %s s runs', (fast) => {
	const lease = leaseOf(fast * second);
	expect(judgeLeader(lease, 170 * second, allSeen).type).toBe('running');
	const acquired = acquiredAt(lease);
	expect(acquired?.lo).toBeLessThanOrEqual(100.01 * second);
	expect(acquired?.hi).toBeGreaterThanOrEqual(99.99 * second - 0.41 * second);
	expect((acquired?.hi ?? 0) - (acquired?.lo ?? 0)).toBeLessThanOrEqual(second);
});

test('a leader whose clock is five minutes fast is missed as soon as any other', () => {
	const lease = leaseOf(300 * second);
	expect(judgeLeader(lease, 176.5 * second, allSeen)).toMatchObject({type: 'absent', since: 161 * second});
	expect(judgeLeader(lease, 175 * second, allSeen).type).toBe('running');
});

test('a clock that agrees with the whole second of the API server counts as right', () => {
	expect(holderClockOffset(leaseOf(0))).toEqual({lo: 0, hi: 0});
	expect(holderClockOffset(leaseOf(2 * second))).toEqual({lo: 1.4 * second, hi: 2.4 * second});
});

test('without managed fields the clock of the holder is all there is', () => {
	const {writes: _, ...lease} = leaseOf(300 * second);
	expect(acquiredAt(lease)).toEqual({lo: 400 * second, hi: 400 * second});
	expect(acquiredAt({...controllerManagerLease})).toBeUndefined();
});
