import {expect, test} from 'vitest';
import {Kubelets} from '../../../src/core/simulation/kubelets.ts';
import {minute, second} from '../../../src/core/time/instant.ts';

const heartbeat = {
	firstRenewalAt: 250,
	renewInterval: 10 * second,
	statusInterval: 5 * minute,
	hasLease: true,
};

function started(fields: Partial<typeof heartbeat & {clockOffset: number}> = {}) {
	const kubelets = new Kubelets();
	return {kubelets, ...kubelets.start('n1', {...heartbeat, ...fields}, 0)};
}

test.for([
	{name: 'before its first renewal there is none', now: 249, want: undefined},
	{name: 'at its first renewal it has renewed', now: 250, want: 250},
	{name: 'between two renewals the earlier one counts', now: 10_249, want: 250},
	{name: 'at each interval it renews', now: 10_250, want: 10_250},
	{name: 'after many intervals it is the last that counts', now: 3_600_000, want: 3_590_250},
])('$name', ({now, want}) => {
	expect(started().kubelets.renewTime('n1', now)).toBe(want);
});

test('fractions that add up to the same instant are the same instant', () => {
	const {kubelets} = started({firstRenewalAt: 0.1, renewInterval: 0.1});
	expect(kubelets.renewTime('n1', 0.1 + 0.2)).toBeCloseTo(0.3);
});

test('a kubelet whose clock is ahead writes later times', () => {
	expect(started({clockOffset: 3 * second}).kubelets.renewTime('n1', 250)).toBe(3250);
});

test('a kubelet without a lease never renews one, and is alive all the same', () => {
	const {kubelets} = started({hasLease: false});
	expect([kubelets.renewTime('n1', minute), kubelets.isAlive('n1')]).toEqual([undefined, true]);
});

test.for([
	{name: 'at its interval', fields: {}, now: 250, interval: 10 * second, want: true},
	{name: 'not before its first renewal', fields: {}, now: 249, interval: 10 * second, want: false},
	{name: 'not more often', fields: {}, now: 250, interval: 9 * second, want: false},
	{name: 'never without a lease', fields: {hasLease: false}, now: 250, interval: minute, want: false},
])('a kubelet renews its lease $name', ({fields, now, interval, want}) => {
	const {kubelets} = started(fields);
	expect(kubelets.renewsEvery('n1', interval, now)).toBe(want);
	kubelets.stop('n1');
	expect(kubelets.renewsEvery('n1', interval, now)).toBe(false);
});

test('a kubelet that stopped renews nothing', () => {
	const {kubelets} = started();
	kubelets.stop('n1');
	expect([kubelets.renewTime('n1', minute), kubelets.isAlive('n1')]).toEqual([undefined, false]);
	expect(kubelets.isAlive('n2')).toBe(false);
});

test('status is posted at the first renewal that is an interval or more after the last post', () => {
	const {kubelets, run, postAt} = started();
	expect(postAt).toBe(5 * minute + 250);
	expect(kubelets.posted('n1', run, postAt)).toBe(10 * minute + 250);
});

test('status may be posted at the first renewal of all', () => {
	expect(started({firstRenewalAt: 6 * minute}).postAt).toBe(6 * minute);
});

test('a post of an earlier run is stale', () => {
	const {kubelets, run} = started();
	const second = kubelets.start('n1', heartbeat, minute);
	expect([second.run === run, kubelets.posted('n1', run, 2 * minute)]).toEqual([false, undefined]);
	kubelets.stop('n1');
	expect(kubelets.posted('n1', second.run, 2 * minute)).toBeUndefined();
});

test('a fork has its own kubelets', () => {
	const {kubelets, run} = started();
	const fork = kubelets.fork();
	fork.stop('n1');
	expect([kubelets.isAlive('n1'), fork.isAlive('n1')]).toEqual([true, false]);
	expect(fork.start('n1', heartbeat, 0).run).not.toBe(run);
});
