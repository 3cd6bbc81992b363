import {expect, test} from 'vitest';
import {controllerManagerLease, type Lease} from '../../../src/core/model/lease.ts';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {second} from '../../../src/core/time/instant.ts';
import {judgeLeader} from '../../../src/forecast/observe/leader.ts';
import {ObservedTime} from '../../../src/forecast/observe/observedTime.ts';
import {withReliableTimes} from '../../../src/forecast/observe/reliableTimes.ts';
import {aNode} from '../../support/builders.ts';

const allSeen = new ObservedTime();

const began = Date.UTC(2026, 0, 1);
const now = began + 3600 * second;

/** Renewed regularly, but its managedFields show only the write that acquired it. */
const lease: Lease = {
	...controllerManagerLease,
	holderIdentity: 'control-plane-1',
	leaseDuration: 15 * second,
	acquireTime: began,
	renewTime: now - second,
	writes: [{manager: 'kube-controller-manager', operation: 'Update', time: began}],
};

test.for([
	{version: 'v1.24.17', type: 'running'},
	// By the API server's time, the holder's clock is an hour ahead: its last renewal was an hour ago.
	{version: 'v1.25.0', type: 'absent'},
])('until 1.24 managedFields do not tell when a value was last written: $version', ({version, type}) => {
	const rules = settingsFor(version);
	const [watched] = withReliableTimes([{type: 'leaseApplied', lease, before: undefined}], rules);
	expect(watched?.type === 'leaseApplied' && judgeLeader(watched.lease, now, allSeen)).toMatchObject({type});
});

test('the times of taints are left out as well', () => {
	const node = aNode('a', {taintWrites: [{manager: 'kubectl', operation: 'Update', time: began}]});
	const [old] = withReliableTimes([{type: 'nodeApplied', node, before: undefined}], settingsFor('v1.24.17'));
	expect(old?.type === 'nodeApplied' && 'taintWrites' in old.node).toBe(false);
	const [recent] = withReliableTimes(
		[{type: 'nodeApplied', node, before: undefined}],
		settingsFor('v1.36.3'),
	);
	expect(recent?.type === 'nodeApplied' && 'taintWrites' in recent.node).toBe(true);
});
