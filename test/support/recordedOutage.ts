import {join} from 'node:path';
import type {Observation} from '../../src/core/model/observation.ts';
import {podKey} from '../../src/core/model/pod.ts';
import type {PressureNews} from '../../src/core/nodepressure/pressureLook.ts';
import {type Duration, type Instant, second} from '../../src/core/time/instant.ts';
import {pressuredNodes} from '../../src/forecast/pressure/observe/pressuredNodes.ts';
import {deliver} from '../../src/live/tape.ts';
import type {RecordingEntry, RecordingHeader} from '../../src/recording/format/entry.ts';
import {newRecordingFile} from '../../src/recording/format/recordingFile.ts';
import {recordingWriter} from '../../src/recording/format/recordingWriter.ts';
import {ClusterStore} from '../../src/store/clusterStore.ts';
import {ObservedWorld} from '../demo/truth/observedWorld.ts';
import {demoScenario} from './demoScenario.ts';
import {instantTiming, type TemporaryFolder} from './testEnvironment.ts';

/** The interval at which kubelets are queried. */
const lookEvery: Duration = 10 * second;

/** When recorded outages begin. */
export const recordedFrom: Instant = Date.UTC(2026, 0, 31, 14, 0, 0);

/**
 * The observations of a watch of a simulated outage, in virtual time: the same in every run. Kubelets of nodes under
 * pressure are queried every ten seconds.
 *
 * @param from when the watch begins, after the start of the outage
 * @param outageAt when the outage begins
 */
export function recordedOutage(
	name: string,
	length: Duration,
	from: Duration = 0,
	outageAt: Instant = recordedFrom,
): readonly RecordingEntry[] {
	const scenario = demoScenario(name);
	const store = new ClusterStore();
	const kubelets = pressuredNodes(store);
	const entries: RecordingEntry[] = [];
	let batch: {readonly type: 'batch'; readonly at: Instant; readonly observations: Observation[]} | undefined;
	const world = new ObservedWorld(scenario, outageAt, 1, (observation, at) => {
		store.apply([observation], at);
		if (batch?.at === at) batch.observations.push(observation);
		else {
			batch = {type: 'batch', at, observations: [observation]};
			entries.push(batch);
		}
	});
	const begin = outageAt + from;
	world.advanceTo(begin);
	entries.length = 0;
	batch = undefined;
	const {nodes, leases = [], pods, events = []} = world.snapshot(begin);
	const first: readonly Observation[] = [
		...nodes.map((node) => ({type: 'nodeApplied', node}) as const),
		...leases.map((lease) => ({type: 'leaseApplied', lease}) as const),
		...events.map((event) => ({type: 'eventApplied', event}) as const),
		...pods
			.toSorted((a, b) => (podKey(a) < podKey(b) ? -1 : 1))
			.map((pod) => ({type: 'podApplied', pod}) as const),
	];
	store.apply(first, begin);
	const report = (news: PressureNews, at: Instant) => {
		store.applyPressure(news, at);
		entries.push({type: 'pressure', at, news});
	};
	const end = outageAt + length;
	for (let now = begin + lookEvery; now <= end; now += lookEvery) {
		world.advanceTo(now);
		const nodes = kubelets.wanted(now);
		if (nodes.join() !== store.kubelets.nodes.join()) report({type: 'chosen', nodes, problems: []}, now);
		for (const node of nodes) report({type: 'looked', look: world.pressureLook(node, now)}, now);
		const reports = world.kubeletReports;
		if (reports.length > store.kubelets.reports.length) report({type: 'reported', reports}, now);
	}
	world.advanceTo(end);
	return [{type: 'batch', at: begin, observations: first}, ...entries, {type: 'tick', at: end}];
}

/** Writes entries as a recording; returns its path. */
export async function writeRecording(
	folder: TemporaryFolder,
	name: string,
	entries: readonly RecordingEntry[],
	header: Partial<RecordingHeader> = {},
): Promise<string> {
	const file = join(folder.path, name);
	const last = entries.at(-1)?.at ?? recordedFrom;
	const writer = recordingWriter(
		await newRecordingFile(file),
		instantTiming({now: () => last}),
		{program: 'v0', title: 'prod-eu-1', kubernetesVersion: 'v1.36.3', isPartial: false, ...header},
		entries[0]?.at,
	);
	for (const entry of entries) deliver(entry, writer);
	await writer.close();
	return file;
}
