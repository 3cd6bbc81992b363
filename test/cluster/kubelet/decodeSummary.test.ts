import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {parseExactJson, uint64Of} from '../../../src/cluster/codec/rawJson.ts';
import {decodeNodePod} from '../../../src/cluster/kubelet/decodeNodePod.ts';
import {decodeSummary} from '../../../src/cluster/kubelet/decodeSummary.ts';
import {formatQuantity} from '../../../src/core/nodepressure/quantities/formatQuantity.ts';

test('a whole number beyond 2^53 is read exactly, others as ever', () => {
	expect(parseExactJson('[18446744073604694016, 9007199254740993, 12, 1.5, 1e30, -7, "1"]')).toEqual([
		18446744073604694016n,
		9007199254740993n,
		12,
		1.5,
		1e30,
		-7,
		'1',
	]);
	expect(() => parseExactJson('{"a":')).toThrow(SyntaxError);
});

test('an amount is a whole number that fits a uint64', () => {
	expect([0, 5, 2n ** 64n - 1n].map(uint64Of)).toEqual([0n, 5n, 2n ** 64n - 1n]);
	expect([-1, 1.5, 2n ** 64n, -1n, '5', null, undefined, Number.NaN, 1e30].map(uint64Of)).toEqual(
		new Array(9).fill(undefined),
	);
});

const summary = `{
 "node": {
  "nodeName": "n1",
  "memory": {"time": "2026-01-01T00:00:10Z", "availableBytes": 100, "workingSetBytes": 50, "usageBytes": 70, "rssBytes": 1},
  "fs": {"time": "2026-01-01T00:00:09Z", "availableBytes": 1, "capacityBytes": 2, "inodesFree": 3, "inodes": 4},
  "runtime": {"imageFs": {"time": null, "availableBytes": 5, "capacityBytes": 6}, "containerFs": {"inodes": 7}},
  "rlimit": {"time": "2026-01-01T00:00:08Z", "maxpid": 32768, "curproc": 300},
  "systemContainers": [{"name": "kubelet", "memory": {"availableBytes": 1}},
   {"name": "pods", "memory": {"availableBytes": 18446744073604694016, "workingSetBytes": 8}}]
 },
 "pods": [{
  "podRef": {"name": "cart", "namespace": "shop", "uid": "u1"},
  "memory": {"workingSetBytes": 9},
  "containers": [{"name": "app", "memory": {"workingSetBytes": 9}, "rootfs": {"usedBytes": 1, "inodesUsed": 2}, "logs": {"usedBytes": 3}}],
  "volume": [{"name": "scratch", "usedBytes": 4}],
  "ephemeral-storage": {"usedBytes": 5},
  "process_stats": {"process_count": 6}
 }]
}`;

test('a summary is read field by field, a time that is null as none', () => {
	const at = (second: number) => Date.UTC(2026, 0, 1, 0, 0, second);
	expect(decodeSummary(parseExactJson(summary))).toEqual({
		node: {
			memory: {time: at(10), availableBytes: 100n, workingSetBytes: 50n},
			podsMemory: {availableBytes: 18446744073604694016n, workingSetBytes: 8n},
			fs: {time: at(9), availableBytes: 1n, capacityBytes: 2n, inodesFree: 3n, inodes: 4n},
			imageFs: {availableBytes: 5n, capacityBytes: 6n},
			containerFs: {inodes: 7n},
			rlimit: {time: at(8), maxpid: 32768n, curproc: 300n},
		},
		pods: [
			{
				uid: 'u1',
				memory: {workingSetBytes: 9n},
				containers: [
					{
						name: 'app',
						memory: {workingSetBytes: 9n},
						rootfs: {usedBytes: 1n, inodesUsed: 2n},
						logs: {usedBytes: 3n},
					},
				],
				volumes: [{name: 'scratch', usedBytes: 4n}],
				ephemeralStorage: {usedBytes: 5n},
				processCount: 6n,
			},
		],
	});
});

test('anything at all is read as a summary and as a pod, what makes no sense left out', () => {
	fc.assert(
		fc.property(fc.anything({withBigInt: true}), (junk) => {
			expect(decodeSummary({node: junk, pods: [junk, {podRef: junk, containers: [junk]}]}).pods).toHaveLength(
				2,
			);
			expect(decodeNodePod({metadata: junk, spec: junk, status: junk}, () => undefined).isMirror).toBe(false);
			expect(
				decodeNodePod(
					{spec: {containers: [junk], volumes: [{emptyDir: junk}], overhead: junk}},
					() => undefined,
				).containers,
			).toHaveLength(1);
		}),
	);
});

const mirror = {
	metadata: {
		name: 'etcd',
		namespace: 'kube-system',
		uid: 'of-the-api',
		annotations: {
			'kubernetes.io/config.hash': 'of-the-node',
			'kubernetes.io/config.mirror': 'of-the-node',
			'kubernetes.io/config.source': 'file',
		},
	},
	spec: {
		priority: 2000001000,
		containers: [{name: 'etcd', resources: {requests: {cpu: '100m', memory: '100Mi'}}}],
		initContainers: [{name: 'side', restartPolicy: 'Always'}, {name: 'first'}],
		volumes: [
			{name: 'data', hostPath: {path: '/var/lib/etcd'}},
			{name: 'scratch', emptyDir: {medium: 'Memory', sizeLimit: '1Gi'}},
			{name: 'token', projected: {}},
		],
	},
	status: {qosClass: 'Burstable', containerStatuses: [{name: 'etcd', allocatedResources: {memory: '200Mi'}}]},
};

test('a mirror is known by the hash of its manifest, a resized container by what is allocated to it', () => {
	const pod = decodeNodePod(mirror, () => undefined);
	expect(pod).toMatchObject({
		uid: 'of-the-node',
		configSource: 'file',
		isMirror: true,
		qosClass: 'Burstable',
	});
	expect(pod.initContainers.map(({isSidecar}) => isSidecar)).toEqual([true, false]);
	expect(pod.volumes.map(({kind, medium}) => [kind, medium])).toEqual([
		['hostPath', undefined],
		['emptyDir', 'Memory'],
		['other', undefined],
	]);
	const {memory, cpu} = pod.containers[0]?.requests ?? {};
	expect([memory, cpu].map((amount) => amount && formatQuantity(amount))).toEqual(['200Mi', '100m']);
});

test('a quantity that makes no sense is reported, and one beyond all sense as well', () => {
	const flaws: string[] = [];
	const limits = {memory: 'much', cpu: '1e999999999', 'ephemeral-storage': 5};
	const pod = decodeNodePod({spec: {containers: [{name: 'app', resources: {limits}}]}}, (flaw) =>
		flaws.push(flaw),
	);
	expect(Object.keys(pod.containers[0]?.limits ?? {})).toEqual(['ephemeral-storage']);
	expect(flaws).toHaveLength(2);
});

test('on Windows, what may still be committed is the memory that is available', () => {
	const committed = '"memory": {"availableBytes": 600, "usageBytes": 1000, "workingSetBytes": 3}';
	const containers = `[{"name": "pods", "memory": {"workingSetBytes": 4}}, {"name": "windows-global-commit-memory", ${committed}}]`;
	const physical = '"memory": {"availableBytes": 40, "workingSetBytes": 760}';
	const {node} = decodeSummary(parseExactJson(`{"node": {${physical}, "systemContainers": ${containers}}}`));
	expect(node).toEqual({
		memory: {availableBytes: 600n, workingSetBytes: 1000n},
		podsMemory: {workingSetBytes: 4n},
	});
});
