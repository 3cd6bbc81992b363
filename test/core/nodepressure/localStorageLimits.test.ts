import {expect, test} from 'vitest';
import {exceededLimits} from '../../../src/core/nodepressure/localStorageLimits.ts';
import type {PodVolume} from '../../../src/core/nodepressure/nodePod.ts';
import {parseQuantity} from '../../../src/core/nodepressure/quantities/parseQuantity.ts';
import type {PodStats} from '../../../src/core/nodepressure/summary.ts';
import {aNodePod, bytes, dedicatedImageFs, singleFs, splitFs} from '../../support/pressure.ts';

const volume = (limit: string, medium = ''): PodVolume => ({
	name: 'scratch',
	kind: 'emptyDir',
	medium,
	sizeLimit: parseQuantity(limit),
});
const stats = (fields: Partial<PodStats>): PodStats => ({
	uid: 'uid-p',
	containers: [],
	volumes: [{name: 'scratch', usedBytes: bytes('2Gi')}],
	...fields,
});
const told = (limits: ReturnType<typeof exceededLimits>) => limits.map(({message}) => message);

test('an emptyDir in memory has its limit checked like one on disk', () => {
	for (const medium of ['', 'Memory']) {
		const pod = aNodePod('p', {}, {volumes: [volume('1Gi', medium)]});
		expect(told(exceededLimits(pod, stats({}), singleFs))).toEqual([
			'Usage of EmptyDir volume "scratch" exceeds the limit "1Gi". ',
		]);
	}
	const within = aNodePod('p', {}, {volumes: [volume('2Gi')]});
	expect(exceededLimits(within, stats({}), singleFs)).toEqual([]);
});

test('a size limit of zero is none', () => {
	expect(exceededLimits(aNodePod('p', {}, {volumes: [volume('0')]}), stats({}), singleFs)).toEqual([]);
});

test("containers without a limit add to the usage that the other containers' limits are held against", () => {
	const limited = aNodePod('p', {limits: {'ephemeral-storage': '1Gi'}});
	const pod = {...limited, containers: [...limited.containers, {name: 'free', requests: {}, limits: {}}]};
	const total = stats({ephemeralStorage: {usedBytes: bytes('1Gi') + 1n}});
	expect(told(exceededLimits(pod, total, singleFs))).toEqual([
		'Pod ephemeral local storage usage exceeds the total limit of containers 1Gi. ',
	]);
	expect(exceededLimits(aNodePod('p'), total, singleFs)).toEqual([]);
	expect(exceededLimits(limited, stats({}), singleFs)).toEqual([]);
});

test("a container's writable layer counts only where images share the node's file system", () => {
	const pod = aNodePod('p', {limits: {'ephemeral-storage': '1Gi'}});
	const written = stats({
		containers: [{name: 'app', rootfs: {usedBytes: bytes('1Gi')}, logs: {usedBytes: 1n}}],
	});
	const counts = (fileSystems: typeof singleFs) => exceededLimits(pod, written, fileSystems).length;
	expect([counts(singleFs), counts(dedicatedImageFs), counts(splitFs)]).toEqual([1, 0, 0]);
	expect(told(exceededLimits(pod, written, singleFs))).toEqual([
		'Container app exceeded its local ephemeral storage limit "1Gi". ',
	]);
});
