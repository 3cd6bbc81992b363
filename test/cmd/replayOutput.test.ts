import {beforeAll, expect, test} from 'vitest';
import {parseAllDocuments} from 'yaml';
import {run} from '../../cmd/run.ts';
import {type Instant, minute, second} from '../../src/core/time/instant.ts';
import type {RecordingEntry} from '../../src/recording/format/entry.ts';
import {aController, relatedTo} from '../impact/related.ts';
import {isDeep} from '../support/drawn.ts';
import {recordedFrom, recordedOutage, writeRecording} from '../support/recordedOutage.ts';
import {flawsOf} from '../support/schemaCheck.ts';
import {testFolder} from '../support/testFolder.ts';
import {recordingTerminal} from './recordingTerminal.ts';

const folder = testFolder();
/** When the recordings begin: in a quick run shortly before the node becomes Unknown. */
const briefFrom = isDeep ? 0 : 50 * second;
let [plain, told, brief] = ['', '', ''];

/** An outage with the owners of its pods, one of which is not ready when they are read again. */
function withRelated(
	entries: readonly RecordingEntry[],
	readAt: readonly Instant[],
): readonly RecordingEntry[] {
	const pods = entries.flatMap((entry) =>
		entry.type === 'batch'
			? entry.observations.flatMap((one) => (one.type === 'podApplied' ? [one.pod] : []))
			: [],
	);
	const owners = new Map(
		pods.flatMap(({namespace, owner}) => (owner ? [[owner.uid, {namespace, ...owner}]] : [])),
	);
	const related = (ready: number) =>
		relatedTo([...owners.values()].map((owner) => aController(owner.name, {...owner, ready})));
	const read = readAt.map(
		(at, index): RecordingEntry => ({type: 'related', at, related: related(3 - index)}),
	);
	return [...entries, ...read].toSorted((a, b) => a.at - b.at);
}

beforeAll(async () => {
	const entries = recordedOutage('node-dies', 2.5 * minute, briefFrom);
	plain = await writeRecording(folder, 'plain.jsonl', entries);
	const read = recordedFrom + Math.max(30 * second, briefFrom + second);
	told = await writeRecording(folder, 'told.jsonl', withRelated(entries, [read, recordedFrom + 2 * minute]));
	const part = recordedOutage('node-dies', 80 * second, briefFrom);
	brief = await writeRecording(folder, 'brief.jsonl', withRelated(part, [read]));
});

async function print(...line: readonly string[]): Promise<string> {
	const terminal = recordingTerminal();
	expect(await run(line, terminal)).toBe(0);
	return terminal.texts().out;
}

const linesOf = (text: string) =>
	text
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line));

/** Assumes the defaults of a release, to reduce the number of simulations. Tests of single lists leave the flags open. */
const asTold = ['--kubernetes-version=v1.36.3'];

test.for([
	{name: 'replay', form: 'events', line: (file: string) => ['replay', ...asTold, file]},
	{name: 'pods -w', form: 'yaml', line: (file: string) => ['pods', '-A', '-w', ...asTold, '-f', file]},
	{name: 'nodes -w', form: 'events', line: (file: string) => ['nodes', '-w', ...asTold, '-f', file]},
	{name: 'zones -w', form: 'yaml', line: (file: string) => ['zones', '-w', ...asTold, '-f', file]},
])('$name: each line of a stream from a recording keeps the schema', async ({form, line}) => {
	const lines = linesOf(await print(...line(brief), '-o', 'json'));
	expect(lines.length).toBeGreaterThan(2);
	for (const one of lines) {
		expect(flawsOf(one, 'watched')).toEqual([]);
		expect(Date.parse(one.metadata.observedAt)).toBeGreaterThanOrEqual(recordedFrom);
	}
	// Printers do not depend on commands: a quick run checks one further format per command.
	if (isDeep || form === 'events') {
		const events = linesOf(await print(...line(brief), '-o', 'json', '--output-watch-events'));
		expect(events).toHaveLength(lines.length);
		for (const one of events) expect(flawsOf(one, 'watch-event')).toEqual([]);
	}
	if (isDeep || form === 'yaml') {
		const documents = parseAllDocuments(await print(...line(brief), '-o', 'yaml'), {version: '1.1'});
		expect(documents.map((one) => one.toJS())).toEqual(lines);
	}
});

test('a stream and a look say what becomes of pods as far as it was recorded', async () => {
	const outcomes = (lines: readonly {after?: {detail?: string} | null}[]) =>
		lines.map(({after}) => after?.detail ?? '').filter((text) => text !== '');
	const [without, withThem] = await Promise.all(
		[plain, told].map(async (file) =>
			outcomes(linesOf(await print('replay', file, ...asTold, '-o', 'json'))),
		),
	);
	expect(withThem).not.toEqual(without);
	const at = new Date(recordedFrom + 2.25 * minute).toISOString();
	const look = async (file: string) =>
		outcomes(JSON.parse(await print('pods', '-A', '-f', file, '--at', at, '-o', 'json')).items);
	expect(await look(told)).not.toEqual(await look(plain));
});

test('a report tells how low workloads went, and nothing where that was not recorded', async () => {
	const reports = await Promise.all(
		[plain, told].map(async (file) => JSON.parse(await print('report', '-f', file, ...asTold, '-o', 'json'))),
	);
	for (const one of reports) expect(flawsOf(one, 'outage-report')).toEqual([]);
	expect(reports[0].workloads).toEqual([]);
	expect(reports[1].workloads.length).toBeGreaterThan(1);
	for (const {desired, readyBefore, lowest, predicted} of reports[1].workloads) {
		const at = new Date(recordedFrom + 2 * minute).toISOString();
		expect({desired, readyBefore, lowest}).toEqual({desired: 3, readyBefore: 3, lowest: {ready: 2, at}});
		expect(predicted.ready).toBeLessThan(3);
	}
	const text = await print('report', told, ...asTold);
	expect(text).toContain('| Workload | Ready before | Lowest | Read at | Predicted |');
	expect(text).toContain('| 3 of 3 | 2 of 3 | 14:02:00 |');
});

test('an instant before the recording is refused', async () => {
	await expect(print('replay', plain, '--at', '1999-01-31T14:00:00Z', '-o', 'json')).rejects.toThrow(
		'is before what',
	);
});
