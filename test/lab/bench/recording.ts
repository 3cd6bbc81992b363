import {mkdtempSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {batch, type Observation} from '../../../src/core/model/observation.ts';
import {minute, second} from '../../../src/core/time/instant.ts';
import {openRecording} from '../../../src/recording/format/recording.ts';
import {newRecordingFile} from '../../../src/recording/format/recordingFile.ts';
import {recordingWriter} from '../../../src/recording/format/recordingWriter.ts';
import {aNode, aPod, inZone, tolerates} from '../../support/builders.ts';
import {runAsProgram} from './bench.ts';
import {type LooksSize, sizeOfLooks} from './kubeletLooks.ts';

// Measures an hour's recording of quiet clusters, extrapolated from ten minutes: its size, its writer's memory and its reading
// speed. Nodes renew their leases every ten seconds, and the pods of a hundredth of the nodes are read.

/** Heartbeats are regular, so ten minutes represent an hour. */
const length = 10 * minute;
const perHour = 6;
const start = Date.UTC(2026, 0, 31, 14);

/** A recording's figures, extrapolated to an hour. */
type Recorded = {
	readonly megabytes: number;
	readonly memory: number;
	readonly readSeconds: number;
	readonly lines: number;
};

async function recorded(nodes: number, file: string): Promise<Recorded> {
	let now = start;
	const sink = await newRecordingFile(file);
	const writer = recordingWriter(sink, {now: () => now, sleep}, header);
	const before = process.memoryUsage.rss();
	let most = before;
	let delivered = 0;
	const deliver = (observations: readonly Observation[]) => {
		writer.push(batch(observations, now));
		delivered += observations.length;
	};
	deliver(firstLook(nodes));
	for (; now < start + length; now += second) {
		deliver(renewals(nodes, now));
		// Simulated time is faster than a disk, so the writer may be at most ten seconds of cluster time behind.
		while (writer.counts().lines < delivered - nodes) await turn();
		most = Math.max(most, process.memoryUsage.rss());
	}
	await writer.close();
	const begin = performance.now();
	const recording = await openRecording({name: file});
	let lines = 0;
	for await (const entry of recording?.entries() ?? [])
		lines += entry.type === 'batch' ? entry.observations.length : 1;
	const readSeconds = (performance.now() - begin) / second;
	return {
		megabytes: (statSync(file).size / 1e6) * perHour,
		memory: (most - before) / 1e6,
		readSeconds: readSeconds * perHour,
		lines: lines * perHour,
	};
}

const turn = () => new Promise((go) => setImmediate(go));

/** The writer's short pauses take no time; its wait for new data lasts until the writer is closed. */
const sleep = async (duration: number, signal: AbortSignal): Promise<void> => {
	if (duration < 10 * second) await turn();
	else if (!signal.aborted) await new Promise((go) => signal.addEventListener('abort', go));
};

const header = {program: 'bench', title: 'bench', kubernetesVersion: 'v1.36.3', isPartial: true};
const nameOf = (index: number) => `ip-10-${index >> 8}-${index & 255}.eu-west-1.compute.internal`;

const firstLook = (nodes: number): readonly Observation[] => [
	...Array.from({length: nodes}, (_, index) => ({
		type: 'nodeApplied' as const,
		node: aNode(nameOf(index), {
			labels: {...inZone('abc'[index % 3] ?? 'a'), 'kubernetes.io/hostname': nameOf(index)},
		}),
	})),
	...Array.from({length: Math.ceil(nodes / 100) * 30}, (_, index) => ({
		type: 'podApplied' as const,
		pod: aPod(`web-${index}`, {
			nodeName: nameOf(index % nodes),
			tolerations: [tolerates('node.kubernetes.io/unreachable', 300)],
		}),
	})),
];

/** Each second a tenth of the nodes renews, and every other second the leader. */
function renewals(nodes: number, now: number): readonly Observation[] {
	const turn = (now / second) % 10;
	const due = Array.from({length: Math.ceil(nodes / 10)}, (_, index) => index * 10 + turn).filter(
		(index) => index < nodes,
	);
	const lease = (namespace: string, name: string, manager: string): Observation => ({
		type: 'leaseApplied',
		lease: {
			...{
				namespace,
				name,
				holderIdentity: name,
				leaseDuration: 40_000,
				renewTime: now + Math.round(Math.random() * 1e6) / 1000,
			},
			writes: [{manager, operation: 'Update', time: now}],
		},
	});
	return [
		...due.map((index) => lease('kube-node-lease', nameOf(index), 'kubelet')),
		...(turn % 2 === 0 ? [lease('kube-system', 'kube-controller-manager', 'kube-controller-manager')] : []),
	];
}

type RecordingMeasured = {
	readonly clusters: readonly {readonly nodes: number; readonly packed: Recorded; readonly plain: Recorded}[];
	readonly looks: readonly LooksSize[];
};

async function measure(): Promise<RecordingMeasured> {
	const folder = mkdtempSync(join(tmpdir(), 'evictwatch-bench-'));
	try {
		const clusters: RecordingMeasured['clusters'][number][] = [];
		for (const nodes of [20, 200, 5000]) {
			const packed = await recorded(nodes, join(folder, `${nodes}.jsonl.gz`));
			clusters.push({nodes, packed, plain: await recorded(nodes, join(folder, `${nodes}.jsonl`))});
		}
		return {clusters, looks: [sizeOfLooks(10, 1), sizeOfLooks(30, 2), sizeOfLooks(110, 2)]};
	} finally {
		rmSync(folder, {recursive: true});
	}
}

const report = ({clusters, looks}: RecordingMeasured): string =>
	[
		'| Nodes | An hour, packed | An hour, plain | Memory of the writer, at most | Read again (packed) |',
		'| --- | --- | --- | --- | --- |',
		...clusters.map(
			({nodes, packed, plain}) =>
				`| ${nodes} | ${packed.megabytes.toFixed(1)} MB | ${plain.megabytes.toFixed(1)} MB | ${packed.memory.toFixed(0)} MB | ` +
				`${packed.readSeconds.toFixed(1)} s, ${packed.lines} objects |`,
		),
		'',
		'| Looks at a node with | An hour, packed | An hour, plain |',
		'| --- | --- | --- |',
		...looks.map(
			({pods, containers, packed, plain}) =>
				`| ${pods} pods of ${containers} | ${(packed / 1e6).toFixed(1)} MB | ${(plain / 1e6).toFixed(1)} MB |`,
		),
	].join('\n');

if (import.meta.main) await runAsProgram({measure, report});
