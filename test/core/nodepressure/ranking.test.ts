import {expect, test} from 'vitest';
import {podDiskUsage} from '../../../src/core/nodepressure/diskUsage.ts';
import {diskParts, garbageCollections} from '../../../src/core/nodepressure/fileSystemLayout.ts';
import type {NodePod, PodVolume} from '../../../src/core/nodepressure/nodePod.ts';
import {isTie, rankPods} from '../../../src/core/nodepressure/ranking.ts';
import type {PodStats} from '../../../src/core/nodepressure/summary.ts';
import type {Signal} from '../../../src/core/nodepressure/thresholds/signal.ts';
import {aNodePod, bytes, dedicatedImageFs, memoryStats, singleFs, splitFs} from '../../support/pressure.ts';

const byUid = (stats: readonly PodStats[]) => new Map(stats.map((one) => [one.uid, one]));

const order = (
	signal: Signal,
	pods: readonly NodePod[],
	stats: readonly PodStats[],
	fileSystems = singleFs,
) => rankPods(pods, byUid(stats), signal, fileSystems).map(({pod}) => pod.name);

const requesting = (name: string, memory: string, priority = 0) =>
	aNodePod(name, {requests: {memory}}, {priority});

test('a pod without statistics goes before any other, whatever its priority', () => {
	const pods = [requesting('greedy', '1Mi', -10), aNodePod('unknown', {}, {priority: 1_000_000})];
	expect(order('memory.available', pods, [memoryStats('greedy', '8Gi')])).toEqual(['unknown', 'greedy']);
	expect(order('nodefs.available', pods, [memoryStats('greedy', '8Gi')])).toEqual(['unknown', 'greedy']);
});

const processes = (name: string, processCount: bigint): PodStats => ({
	uid: `uid-${name}`,
	containers: [],
	volumes: [],
	processCount,
});

test('for processes the priority comes first, and no request counts', () => {
	const pods = [
		aNodePod('few'),
		aNodePod('many'),
		aNodePod('important', {}, {priority: 1}),
		aNodePod('unknown'),
	];
	const stats = [processes('few', 1n), processes('many', 500n), processes('important', 9000n)];
	expect(order('pid.available', pods, stats)).toEqual(['unknown', 'many', 'few', 'important']);
});

const onDisk = (name: string, usedBytes: bigint, inodesUsed: bigint): PodStats => ({
	uid: `uid-${name}`,
	containers: [{name: 'app', rootfs: {usedBytes, inodesUsed}, logs: {usedBytes: 1n, inodesUsed: 1n}}],
	volumes: [],
});

test('inodes are measured by the request of bytes: a pod that requests any storage ranks far behind', () => {
	const pods = [aNodePod('hog', {requests: {'ephemeral-storage': '1Gi'}}), aNodePod('tiny')];
	const stats = [onDisk('hog', 0n, 1_000_000n), onDisk('tiny', 0n, 3n)];
	expect(order('nodefs.inodesFree', pods, stats)).toEqual(['tiny', 'hog']);
});

test('where images are apart from containers, no pod uses any of the imagefs, and it ranks them all the same', () => {
	const pods = [aNodePod('small'), aNodePod('large')];
	const stats = byUid([onDisk('small', 1n, 1n), onDisk('large', bytes('9Gi'), 9n)]);
	const ranked = rankPods(pods, stats, 'imagefs.available', splitFs);
	expect(ranked.map(({use}) => use?.usage)).toEqual([0n, 0n]);
	expect(ranked[0] && ranked[1] && isTie(ranked[0], ranked[1], 'imagefs.available')).toBe(true);
	expect(order('containerfs.available', pods, [...stats.values()], splitFs)).toEqual(['large', 'small']);
});

test('where images and containers are apart from the nodefs, nothing is collected for the nodefs', () => {
	expect(garbageCollections('nodefs.available', dedicatedImageFs)).toEqual([]);
	expect(garbageCollections('imagefs.inodesFree', dedicatedImageFs)).toEqual(['containerGC', 'imageGC']);
	expect(garbageCollections('nodefs.inodesFree', splitFs)).toEqual(['containerGC']);
	expect(garbageCollections('imagefs.available', splitFs)).toEqual(['imageGC']);
	expect(garbageCollections('nodefs.available', singleFs)).toEqual(['containerGC', 'imageGC']);
	expect(garbageCollections('memory.available', singleFs)).toEqual([]);
	expect(diskParts('nodefs.available', dedicatedImageFs)).toEqual(['logs', 'localVolumes']);
	expect(diskParts('containerfs.available', dedicatedImageFs)).toEqual(['rootfs']);
});

test("of a pod's volumes only hostPath, configMap, gitRepo and emptyDir on disk count: no secret, projected or claimed one", () => {
	const volumes: PodVolume[] = [
		{name: 'host', kind: 'hostPath'},
		{name: 'config', kind: 'configMap'},
		{name: 'git', kind: 'gitRepo'},
		{name: 'disk', kind: 'emptyDir', medium: ''},
		{name: 'memory', kind: 'emptyDir', medium: 'Memory'},
		{name: 'claimed', kind: 'other'},
	];
	const usedBytes = (index: number) => 10n ** BigInt(index);
	const stats: PodStats = {
		uid: 'uid-p',
		containers: [],
		volumes: volumes.map(({name}, index) => ({name, usedBytes: usedBytes(index), inodesUsed: 1n})),
	};
	const pod = aNodePod('p', {}, {volumes});
	expect(podDiskUsage(pod, stats, ['localVolumes'], 'usedBytes')).toBe(1111n);
	expect(podDiskUsage(pod, stats, ['localVolumes'], 'inodesUsed')).toBe(4n);
	expect(podDiskUsage(pod, stats, ['rootfs', 'logs'], 'usedBytes')).toBe(0n);
});
