import {expect, test} from 'vitest';
import {decodePlacedPod} from '../../../src/cluster/workloads/readOccupancy.ts';

/** A pod that had its node at 12:00:00, and is ready since a time of the same day. */
const readySince = (time: string) => ({
	metadata: {namespace: 'shop', name: 'cart-1'},
	spec: {nodeName: 'n1'},
	status: {
		conditions: [
			{type: 'PodScheduled', status: 'True', lastTransitionTime: '2026-01-31T12:00:00Z'},
			{type: 'Ready', status: 'True', lastTransitionTime: `2026-01-31T${time}Z`},
		],
	},
});

test('how long a pod started is told by when it had its node, unless Ready turned long after that', () => {
	const startOf = (time: string) => decodePlacedPod(readySince(time))?.start;
	expect(['12:00:05', '12:10:00', '12:10:01', '11:59:59'].map(startOf)).toEqual([
		5000,
		600_000,
		undefined,
		undefined,
	]);
});
