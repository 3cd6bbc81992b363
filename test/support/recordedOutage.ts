import {join} from 'node:path';
import type {Observation} from '../../src/core/model/observation.ts';
import {podKey} from '../../src/core/model/pod.ts';
import type {Duration, Instant} from '../../src/core/time/instant.ts';
import {scenarioNamed} from '../../src/demo/world/scenarios.ts';
import type {RecordingEntry, RecordingHeader} from '../../src/recording/format/entry.ts';
import {newRecordingFile} from '../../src/recording/format/recordingFile.ts';
import {RecordingWriter} from '../../src/recording/format/recordingWriter.ts';
import {ObservedWorld} from '../demo/truth/observedWorld.ts';
import {instantTiming, type TemporaryFolder} from './testEnvironment.ts';

/** When recorded outages begin. */
export const recordedFrom: Instant = Date.UTC(2026, 0, 31, 14, 0, 0);

/**
 * What a watch of a simulated outage brings, in virtual time: the same in every run.
 *
 * @param from when it begins to watch, after the outage began
 * @param outageAt when the outage begins
 */
export function recordedOutage(
	name: string,
	length: Duration,
	from: Duration = 0,
	outageAt: Instant = recordedFrom,
): readonly RecordingEntry[] {
	const scenario = scenarioNamed(name);
	if (!scenario) throw new Error(`the demo has no scenario ${name}`);
	const batches: {at: Instant; observations: Observation[]}[] = [];
	const world = new ObservedWorld(scenario, outageAt, 1, (observation, at) => {
		const last = batches.at(-1);
		if (last?.at === at) last.observations.push(observation);
		else batches.push({at, observations: [observation]});
	});
	const begin = outageAt + from;
	world.advanceTo(begin);
	batches.length = 0;
	const {nodes, leases = [], pods, events = []} = world.snapshot(begin);
	const first: readonly Observation[] = [
		...nodes.map((node) => ({type: 'nodeApplied', node}) as const),
		...leases.map((lease) => ({type: 'leaseApplied', lease}) as const),
		...events.map((event) => ({type: 'eventApplied', event}) as const),
		...pods
			.toSorted((a, b) => (podKey(a) < podKey(b) ? -1 : 1))
			.map((pod) => ({type: 'podApplied', pod}) as const),
	];
	world.advanceTo(outageAt + length);
	return [
		{type: 'batch', at: begin, observations: first},
		...batches.map((batch): RecordingEntry => ({type: 'batch', ...batch})),
		{type: 'tick', at: outageAt + length},
	];
}

/** Writes entries as a recording; its path. */
export async function writeRecording(
	folder: TemporaryFolder,
	name: string,
	entries: readonly RecordingEntry[],
	header: Partial<RecordingHeader> = {},
): Promise<string> {
	const file = join(folder.path, name);
	const last = entries.at(-1)?.at ?? recordedFrom;
	const writer = new RecordingWriter(
		await newRecordingFile(file),
		instantTiming({now: () => last}),
		{program: 'v0', title: 'prod-eu-1', kubernetesVersion: 'v1.36.3', isPartial: false, ...header},
		entries[0]?.at,
	);
	for (const entry of entries) {
		if (entry.type === 'batch') writer.observe(entry.observations, entry.at, entry.provenance);
		else if (entry.type === 'problems') writer.reportProblems(entry.problems, entry.at);
		else if (entry.type === 'related') writer.reportRelated(entry.related, entry.at);
	}
	await writer.close();
	return file;
}
