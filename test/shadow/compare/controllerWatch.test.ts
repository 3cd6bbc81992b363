import {expect, test} from 'vitest';
import {controllerManagerLease} from '../../../src/core/model/lease.ts';
import {ObservedTime} from '../../../src/forecast/observe/observedTime.ts';
import {ControllerWatch} from '../../../src/shadow/compare/controllerWatch.ts';

const lease = (renewTime: number, acquireTime = 0, holderIdentity = 'one') => ({
	...controllerManagerLease,
	...{renewTime, acquireTime, holderIdentity, leaseDuration: 15_000},
});

test('a lease that is not renewed tells of controllers that are gone, and for how long', () => {
	const watch = new ControllerWatch();
	for (let at = 0; at <= 20_000; at += 2000) watch.observe(lease(at), at);
	expect(watch.stateAt(21_000)).toEqual({isUp: true, leader: 'one', leaderSince: 0, renewedAt: 20_000});
	expect(watch.isDoubtful(27_000)).toBe(true);
	expect(watch.hasShownSince(22_000, 30_000)).toBe(false);
	watch.checkLease(36_000);
	expect(watch.isDown(36_000)).toBe(true);
	expect(watch.hasShownSince(22_000, 36_000)).toBe(true);
	expect(watch.stateAt(36_000)).toMatchObject({isUp: false, leaderSince: null});
	watch.observe(lease(50_000, 50_000, 'two'), 50_000);
	expect(watch.absenceIn({lo: 40_000, hi: 41_000})).toMatchObject({lo: 20_000, hi: 50_000});
	expect(watch.absenceIn({lo: 51_000, hi: 60_000})).toBeUndefined();
	expect(watch.takeoverIn({lo: 45_000, hi: 60_000})).toBeDefined();
	expect(watch.takeoverIn({lo: 51_000, hi: 60_000})).toBeUndefined();
});

test('where no lease is seen, nothing is said of the controllers', () => {
	const watch = new ControllerWatch();
	watch.checkLease(100_000);
	expect(watch.stateAt(100_000)).toEqual({isUp: null, leader: null, leaderSince: null, renewedAt: null});
	expect(watch.hasShownSince(0, 100_000)).toBe(true);
	expect(watch.absenceIn({lo: 0, hi: 100_000})).toBeUndefined();
});

test('a lease that is renewed late by the same holder tells of a pause, and what is late may come for a while', () => {
	const watch = new ControllerWatch();
	for (const at of [0, 2000, 4000, 13_000, 15_000]) watch.observe(lease(at), at);
	expect(watch.pauseIn({lo: 5000, hi: 6000})).toEqual({lo: 4000, hi: 13_000});
	expect(watch.absenceIn({lo: 0, hi: 20_000})).toBeUndefined();
	expect(watch.isDoubtful(16_000)).toBe(true);
	for (let at = 17_000; at <= 29_000; at += 2000) watch.observe(lease(at), at);
	expect(watch.isDoubtful(29_000)).toBe(false);
	expect(watch.pauseIn({lo: 14_000, hi: 29_000})).toBeUndefined();
});

test('renewals that were not seen are no pause', () => {
	const seen = new ObservedTime();
	const watch = new ControllerWatch(seen);
	seen.observe(0);
	watch.observe(lease(0), 0);
	seen.observe(1000, {type: 'watchLost', since: 1000});
	seen.observe(20_000, {type: 'watchLost', since: undefined});
	watch.observe(lease(20_000), 20_000);
	expect(watch.pauseIn({lo: 0, hi: 20_000})).toBeUndefined();
});
