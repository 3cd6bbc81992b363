import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/controllerSettings.ts';
import {controllerManagerLease, type Lease} from '../../../src/core/model/lease.ts';
import {second} from '../../../src/core/time/instant.ts';
import {believable, believableSnapshot} from '../../../src/forecast/observe/believable.ts';
import {judgeLeader} from '../../../src/forecast/observe/leader.ts';
import {SeenTime} from '../../../src/forecast/observe/seenTime.ts';
import {aNode} from '../../support/builders.ts';

const allSeen = new SeenTime();

const began = Date.UTC(2026, 0, 1);
const now = began + 3600 * second;

/** Renewed all the time, and seemingly written only when it was taken. */
const lease: Lease = {
	...controllerManagerLease,
	holderIdentity: 'control-plane-1',
	leaseDuration: 15 * second,
	acquireTime: began,
	renewTime: now - second,
	writes: [{manager: 'kube-controller-manager', operation: 'Update', time: began}],
};

const snapshot = {
	observedAt: now,
	source: 'cluster',
	nodes: [],
	pods: [],
	leases: [lease],
	problems: [],
} as const;

test.for([
	{version: 'v1.24.17', type: 'running'},
	// The holder's clock is an hour fast, by the API server's word: its last renewal was an hour ago.
	{version: 'v1.25.0', type: 'absent'},
])('until 1.24 managedFields do not tell when a value was last written: $version', ({version, type}) => {
	const rules = settingsFor(version);
	const [listed] = believableSnapshot(snapshot, rules).leases ?? [];
	expect(judgeLeader(listed, now, allSeen)).toMatchObject({type});
	const [watched] = believable([{type: 'leaseApplied', lease}], rules);
	expect(watched?.type === 'leaseApplied' && judgeLeader(watched.lease, now, allSeen)).toMatchObject({type});
});

test('the times of taints are left out as well', () => {
	const node = aNode('a', {taintWrites: [{manager: 'kubectl', operation: 'Update', time: began}]});
	const [old] = believable([{type: 'nodeApplied', node}], settingsFor('v1.24.17'));
	expect(old?.type === 'nodeApplied' && 'taintWrites' in old.node).toBe(false);
	const [recent] = believable([{type: 'nodeApplied', node}], settingsFor('v1.36.3'));
	expect(recent?.type === 'nodeApplied' && 'taintWrites' in recent.node).toBe(true);
});
