import {expect, test} from 'vitest';
import {evictionMessage} from '../../../src/core/nodepressure/evictionMessage.ts';
import type {PodStats} from '../../../src/core/nodepressure/summary.ts';
import {observeSignals} from '../../../src/core/nodepressure/thresholds/observations.ts';
import {parseThresholds} from '../../../src/core/nodepressure/thresholds/parseThresholds.ts';
import {aNodePod, bytes, nodeFs} from '../../support/pressure.ts';

test('containers are blamed by rootfs and logs together, whichever file system runs short', () => {
	const thresholds = parseThresholds({evictionHard: {'nodefs.available': '10%'}});
	const observations = observeSignals({node: nodeFs('5Gi'), pods: []});
	const stats = (logs: bigint | undefined): PodStats => ({
		uid: 'uid-cart',
		containers: [
			{name: 'app', rootfs: {usedBytes: bytes('1Gi')}, logs: logs === undefined ? {} : {usedBytes: logs}},
		],
		volumes: [],
	});
	const say = (logs: bigint | undefined) =>
		evictionMessage('ephemeral-storage', aNodePod('cart'), stats(logs), thresholds, observations).message;
	expect(say(bytes('1Mi'))).toContain(
		'Threshold quantity: 10737418400, available: 5Gi. Container app was using 1025Mi',
	);
	expect(say(undefined)).not.toContain('Container');
});
