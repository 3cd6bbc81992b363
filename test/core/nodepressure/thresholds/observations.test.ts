import {expect, test} from 'vitest';
import type {NodeStats} from '../../../../src/core/nodepressure/summary.ts';
import {observeSignals} from '../../../../src/core/nodepressure/thresholds/observations.ts';
import {bytes} from '../../../support/pressure.ts';

const observe = (node: NodeStats) => observeSignals({node, pods: []});

test('each signal has its two fields, and its own time', () => {
	const fs = {availableBytes: 3n, capacityBytes: 4n, inodesFree: 5n, inodes: 6n, time: 7000};
	const observations = observe({
		memory: {availableBytes: 1n, workingSetBytes: 2n},
		podsMemory: {availableBytes: 8n, workingSetBytes: 2n, time: 1000},
		fs,
		imageFs: fs,
		containerFs: fs,
		rlimit: {maxpid: 100n, curproc: 30n},
	});
	expect(Object.fromEntries(observations)).toEqual({
		'memory.available': {available: 1n, capacity: 3n},
		'allocatableMemory.available': {available: 8n, capacity: 10n, time: 1000},
		'nodefs.available': {available: 3n, capacity: 4n, time: 7000},
		'nodefs.inodesFree': {available: 5n, capacity: 6n, time: 7000},
		'imagefs.available': {available: 3n, capacity: 4n, time: 7000},
		'imagefs.inodesFree': {available: 5n, capacity: 6n, time: 7000},
		'containerfs.available': {available: 3n, capacity: 4n, time: 7000},
		'containerfs.inodesFree': {available: 5n, capacity: 6n, time: 7000},
		'pid.available': {available: 70n, capacity: 100n},
	});
});

test('a signal of which a field is missing is not observed', () => {
	const observations = observe({
		memory: {availableBytes: 1n},
		podsMemory: {workingSetBytes: 2n},
		fs: {availableBytes: 1n, inodes: 2n},
		rlimit: {maxpid: 100n},
	});
	expect(observations.size).toBe(0);
	expect(observe({}).size).toBe(0);
});

test('amounts that wrapped around below zero are read as the negative numbers they are', () => {
	const overLimit = BigInt.asUintN(64, -bytes('100Mi'));
	const observed = observe({podsMemory: {availableBytes: overLimit, workingSetBytes: bytes('1Gi')}});
	expect(observed.get('allocatableMemory.available')).toEqual({
		available: -bytes('100Mi'),
		capacity: bytes('924Mi'),
	});
});

test('more processes than there may be leave less than none', () => {
	expect(observe({rlimit: {maxpid: 10n, curproc: 12n}}).get('pid.available')?.available).toBe(-2n);
});
