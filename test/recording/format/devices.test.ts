import {expect, test} from 'vitest';
import type {DeviceObject} from '../../../src/core/model/device.ts';
import type {Observation} from '../../../src/core/model/observation.ts';
import {entryDecoder} from '../../../src/recording/format/decodeEntry.ts';
import {entryEncoder} from '../../../src/recording/format/encodeEntry.ts';
import {aPod, aTaint, tolerates} from '../../support/builders.ts';

const gpu = {driver: 'gpu.example.com', pool: 'rack/n1', device: 'gpu-0'};
const objects: readonly DeviceObject[] = [
	{
		...{
			kind: 'ResourceSlice',
			name: 'n1-gpus',
			driver: gpu.driver,
			pool: gpu.pool,
			generation: 2,
			nodeName: 'n1',
		},
		devices: [
			{name: 'gpu-0', taints: [aTaint('broken', {timeAdded: 5000})]},
			{name: 'gpu-1', nodeName: 'n2', taints: []},
		],
	},
	{
		...{kind: 'DeviceTaintRule', name: 'recall', uid: 'uid-recall', selector: {pool: gpu.pool}},
		taint: aTaint('recalled', {value: 'yes', timeAdded: 7000}),
	},
	{
		...{kind: 'ResourceClaim', namespace: 'shop', name: 'gpu', uid: 'uid-gpu', ownerUid: 'uid-of-trainer'},
		allocated: [{...gpu, tolerations: [tolerates('broken', 30)]}],
		reservedFor: [{name: 'trainer', uid: 'uid-of-trainer'}],
	},
	{kind: 'ResourceClaim', namespace: 'shop', name: 'waiting', uid: 'uid-waiting', reservedFor: []},
];
const claims = [
	{name: 'gpu', isGenerated: true},
	{name: 'shared', isGenerated: false},
];

test('devices, claims and rules are recorded, and read as they were', () => {
	const observations: readonly Observation[] = [
		...objects.map((object) => ({type: 'deviceObjectApplied', object}) as const),
		{type: 'podApplied', pod: aPod('trainer', {claims})},
		{type: 'deviceObjectDeleted', kind: 'ResourceSlice', key: 'n1-gpus'},
		{type: 'deviceObjectDeleted', kind: 'ResourceClaim', key: 'shop/gpu'},
	];
	const [encoder, decoder] = [entryEncoder(), entryDecoder()];
	const lines = [...encoder.lines({type: 'batch', at: 10_000, observations})];
	const entries = [...lines.flatMap((line) => [...decoder.line(line)]), ...decoder.end()];
	expect(decoder.broken).toBe(0);
	expect(entries).toEqual([{type: 'batch', at: 10_000, observations}]);
});
