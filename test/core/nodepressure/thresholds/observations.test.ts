import {expect, test} from 'vitest';
import type {NodeStats} from '../../../../src/core/nodepressure/summary.ts';
import {observeSignals} from '../../../../src/core/nodepressure/thresholds/observations.ts';
import {bytes} from '../../../support/pressure.ts';

const observe = (node: NodeStats) => observeSignals({node, pods: []});

test('amounts that wrapped around below zero are read as the negative numbers they are', () => {
	const overLimit = BigInt.asUintN(64, -bytes('100Mi'));
	const observed = observe({podsMemory: {availableBytes: overLimit, workingSetBytes: bytes('1Gi')}});
	expect(observed.get('allocatableMemory.available')).toEqual({
		available: -bytes('100Mi'),
		capacity: bytes('924Mi'),
	});
});
