import {expect, test} from 'vitest';
import type {Observation} from '../../../src/core/model/observation.ts';
import {type RepairObject, repairKey} from '../../../src/core/model/repairObject.ts';
import {minute} from '../../../src/core/time/instant.ts';
import {entryDecoder} from '../../../src/recording/format/decodeEntry.ts';
import {entryEncoder} from '../../../src/recording/format/encodeEntry.ts';

const selector = {
	matchLabels: {role: 'worker'},
	matchExpressions: [{key: 'a', operator: 'In', values: ['b']}],
};
const conditions = [{type: 'Ready', status: 'Unknown', timeout: 5 * minute}] as const;

const objects: readonly RepairObject[] = [
	{
		...{
			kind: 'NodeClaim',
			name: 'c1',
			nodeName: 'n1',
			providerId: '',
			pool: 'default',
			provider: 'karpenter.k8s.aws',
		},
		expiresAt: 1_700_000_060_000,
		deletionTimestamp: 1_700_000_000_000,
	},
	{
		...{kind: 'NodeReadinessRule', name: 'network', selector, isDryRun: false},
		taint: {key: 'readiness.k8s.io/network', effect: 'NoExecute'},
		conditions: [{type: 'NetworkReady', status: 'True'}],
	},
	{
		...{kind: 'EvictionRequest', namespace: 'shop', name: 'cart-0'},
		...{podUid: 'cart-0', requester: 'acme.io/mover', isOpen: true},
	},
	{
		...{kind: 'Machine', group: 'cluster.x-k8s.io', namespace: 'machines', name: 'm1', nodeName: 'n1'},
		...{providerId: 'aws:///a/i-1', labels: {role: 'worker'}, isControlled: true, isSkipped: true},
		failure: 'annotation',
		conditions: [{type: 'BootstrapReady', status: 'False', lastTransitionTime: 1_700_000_000_000}],
	},
	{
		...{kind: 'MachineHealthCheck', group: 'cluster.x-k8s.io', namespace: 'clusters', name: 'workers'},
		...{cluster: 'ours', selector, conditions, maxUnhealthy: '40%', unhealthyRange: '[1-2]'},
		...{isExternal: true, isPaused: true, machineConditions: conditions},
	},
	{
		...{kind: 'Machine', group: 'machine.openshift.io', namespace: 'machines', name: 'm2', nodeName: 'n2'},
		...{providerId: '', labels: {}, isControlled: true, isSkipped: false, isBeingRepaired: true},
		failure: 'phase',
	},
	{
		...{kind: 'NodeHealthCheck', name: 'workers', selector, conditions, minHealthy: '51%'},
		...{template: 'SelfNodeRemediationTemplate', isPaused: true},
	},
];

/** Observations after encoding and decoding. */
function recorded(...batches: readonly (readonly Observation[])[]) {
	const [encoder, decoder] = [entryEncoder(), entryDecoder()];
	const lines = batches.flatMap((observations, index) => [
		...encoder.lines({type: 'batch', at: 1_700_000_000_000 + index * 1000, observations}),
	]);
	const entries = [...lines.flatMap((line) => [...decoder.line(line)]), ...decoder.end()];
	const told = entries.map((entry) => (entry.type === 'batch' ? entry.observations : []));
	return {told, types: lines.map((line) => JSON.parse(line).type), broken: decoder.broken};
}

test.each(objects)('a recorded $kind is what it was', (object) => {
	const {told, broken} = recorded([{type: 'repairApplied', object}]);
	expect(told).toEqual([[{type: 'repairApplied', object}]]);
	expect(broken).toBe(0);
});

test('what is gone is recorded as gone', () => {
	const [object] = objects;
	if (!object) throw new Error('no object');
	const gone = {type: 'repairDeleted', key: repairKey(object)} as const;
	const {told, types} = recorded(
		[{type: 'repairApplied', object}],
		[{type: 'repairApplied', object}],
		[gone],
	);
	expect(told.at(-1)).toEqual([gone]);
	expect(types.filter((type) => type !== 'META')).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
});
