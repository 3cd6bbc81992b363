import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync, gzipSync} from 'node:zlib';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {Decoder, type ObservedKind} from '../../../src/cluster/codec/decoder.ts';
import {decodeTime} from '../../../src/cluster/codec/rawJson.ts';
import {recordedTime} from '../../../src/cluster/codec/recordedTime.ts';
import {batch, type Observation, type Provenance} from '../../../src/core/model/observation.ts';
import {second} from '../../../src/core/time/instant.ts';
import type {ResourceName} from '../../../src/demo/encode/apiObject.ts';
import {objectStore} from '../../../src/demo/world/objectStore.ts';
import {type DemoScenario, scenarios} from '../../../src/demo/world/scenarios.ts';
import {demoWorld} from '../../../src/demo/world/world.ts';
import {entryDecoder} from '../../../src/recording/format/decodeEntry.ts';
import {entryEncoder} from '../../../src/recording/format/encodeEntry.ts';
import type {RecordingEntry} from '../../../src/recording/format/entry.ts';
import {openRecording} from '../../../src/recording/format/recording.ts';
import {newRecordingFile} from '../../../src/recording/format/recordingFile.ts';
import {recordingWriter} from '../../../src/recording/format/recordingWriter.ts';
import {aLease, aNode, aPod, aTaint, tolerates} from '../../support/builders.ts';
import {instantTiming, TemporaryFolder} from '../../support/testEnvironment.ts';

const start = Date.UTC(2026, 0, 31, 14, 7, 31);

const linesOf = (entries: readonly RecordingEntry[]) => {
	const encoder = entryEncoder();
	return entries.flatMap((entry) => [...encoder.lines(entry)]);
};
function entriesOf(lines: readonly string[], mostOfBatch?: number) {
	const decoder = entryDecoder(mostOfBatch);
	const entries = [...lines.flatMap((line) => [...decoder.line(line)]), ...decoder.end()];
	return {entries, broken: decoder.broken};
}

test('every instant that the API can tell comes back as the very same number', () => {
	const instants = fc.tuple(
		fc.integer({min: -62_135_596_800, max: 253_402_300_799}),
		fc.integer({min: 0, max: 999_999_999}),
	);
	fc.assert(
		fc.property(instants, ([seconds, nanoseconds]) => {
			const text = `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${String(nanoseconds).padStart(9, '0')}Z`;
			const at = decodeTime(text) ?? Number.NaN;
			expect(decodeTime(recordedTime(at))).toBe(at);
		}),
		// The last nanosecond is read as the start of the year 10000.
		{examples: [[[253_402_300_799, 999_999_999]]]},
	);
	expect(recordedTime(253_402_300_799_999.5)).toBe('9999-12-31T23:59:59.999500Z');
	expect(recordedTime(start)).toBe('2026-01-31T14:07:31.000Z');
	expect(recordedTime(start + 0.25)).toBe('2026-01-31T14:07:31.000250Z');
	expect(recordedTime(Number.NEGATIVE_INFINITY)).toBeUndefined();
});

test.for([5, 1e9])(
	'a batch that announces %d objects is taken in parts, so that none fills the memory',
	(objects) => {
		const observations = ['a', 'b', 'c', 'd', 'e'].map((name) => ({
			type: 'nodeApplied' as const,
			node: aNode(name),
		}));
		const lines = linesOf([{type: 'batch', at: start, observations, provenance: {type: 'firstLook'}}]);
		const announced = lines.map((line) => line.replace('"objects":5', `"objects":${objects}`));
		const {entries} = entriesOf(announced, 2);
		expect(entries.map((entry) => entry.type === 'batch' && entry.observations.length)).toEqual([2, 2, 1]);
	},
);

/** All observations of an outage of the demo, through the live cluster's decoder. */
function seenOf(scenario: DemoScenario): readonly Observation[] {
	const store = objectStore();
	const world = demoWorld(scenario, store, {now: start, gitVersion: 'v1.36.3', seed: 1});
	const {node: nodes, pod: pods, lease: leases, event: events} = new Decoder();
	const seen: Observation[] = [];
	const kinds: readonly (readonly [ResourceName, ObservedKind<unknown>])[] = [
		['nodes', nodes],
		['pods', pods],
		['leases', leases],
		['events', events],
	];
	for (const [resource, {decode, applied}] of kinds)
		store.of(resource).subscribe(({object}) => {
			const decoded = decode(object);
			if (decoded !== undefined) seen.push(applied(decoded));
		});
	world.advanceTo(start + 720 * second);
	return seen;
}

test.for(scenarios.filter(({name}) => name !== 'large-cluster'))(
	'$name: what is read of a recording is what was seen',
	(scenario) => {
		const observations = seenOf(scenario);
		expect(new Set(observations.map(({type}) => type)).size).toBeGreaterThanOrEqual(3);
		const {entries, broken} = entriesOf(linesOf([{type: 'batch', at: start, observations}]));
		expect([entries, broken]).toEqual([[{type: 'batch', at: start, observations}], 0]);
	},
);

const provenances: readonly (Provenance | undefined)[] = [
	undefined,
	{type: 'firstLook'},
	{type: 'late', since: start - 3 * second},
	{type: 'late', since: Number.NEGATIVE_INFINITY},
	{type: 'delayed', since: start - 1.5 * second},
	{type: 'historyLost', since: start - 0.125},
];
const writes = [{manager: 'kubelet', operation: 'Update', time: start}];
const samples: readonly Observation[] = [
	{
		type: 'nodeApplied',
		node: aNode('n1', {
			taints: [aTaint('maintenance', {timeAdded: start})],
			taintWrites: writes,
			providerId: 'aws:///a/i-1',
		}),
	},
	{type: 'nodeApplied', node: aNode('n2', {unschedulable: true, taintWrites: []})},
	{type: 'nodeDeleted', name: 'n1'},
	{
		type: 'podApplied',
		pod: aPod('web', {
			tolerations: [tolerates('maintenance', 0), tolerates('x')],
			owner: {kind: 'ReplicaSet', name: 'web', uid: 'u'},
		}),
	},
	{
		type: 'podApplied',
		pod: aPod('cart', {
			ready: 'False',
			readyChangedAt: start,
			markedNotReadyAt: start,
			deletionTimestamp: start,
			deletionGracePeriodSeconds: 0,
		}),
	},
	{
		type: 'podApplied',
		pod: aPod('bank', {
			ready: 'False',
			readyChangedAt: start,
			isDisruptionTarget: true,
			evictedAt: start,
			priority: -5,
			isMirror: true,
			scheduledAt: start,
		}),
	},
	{
		type: 'podApplied',
		pod: aPod('trainer', {isDisruptionTarget: true, deviceEvictedAt: start, deletionTimestamp: start}),
	},
	{type: 'podDeleted', namespace: 'shop', name: 'web'},
	{
		type: 'leaseApplied',
		lease: {
			...aLease('n1', start + 0.25),
			writes,
			leaseDuration: 40_000,
			leaseTransitions: 0,
			acquireTime: start,
		},
	},
	{type: 'leaseApplied', lease: {...aLease('n2', start), writes, touchedAt: start + 60 * second}},
	{type: 'leaseDeleted', namespace: 'kube-node-lease', name: 'n1'},
	{type: 'eventDeleted', namespace: 'default', name: 'x'},
	{
		type: 'eventApplied',
		event: {
			...{namespace: 'shop', name: 'web.18ffffffffffffff', reason: 'CancellingDeletion', about: 'shop/web'},
			...{
				first: {at: start + 0.5, precision: 0},
				last: {at: start + second, precision: 1000},
				createdAt: start,
			},
		},
	},
	{
		type: 'eventApplied',
		event: {
			...{namespace: 'default', name: 'n1.x', reason: 'NodeNotReady', about: 'n1'},
			...{first: {at: start, precision: 1000}, last: {at: start + 0.5, precision: 0}, createdAt: start},
		},
	},
];

const batches: fc.Arbitrary<RecordingEntry> = fc
	.tuple(fc.constantFrom(...provenances), fc.array(fc.constantFrom(...samples), {maxLength: 4}))
	.filter(([provenance, observations]) => provenance !== undefined || observations.length > 0)
	.map(([provenance, observations]) => ({
		type: 'batch',
		at: start,
		observations,
		...(provenance && {provenance}),
	}));
const others: fc.Arbitrary<RecordingEntry> = fc.constantFrom<RecordingEntry>(
	{type: 'batch', at: start, observations: [], provenance: {type: 'watchLost', since: start - second}},
	{type: 'batch', at: start, observations: [], provenance: {type: 'watchLost', since: undefined}},
	{type: 'problems', at: start, problems: [{reason: 'ServerUnreachable', message: 'no "answer"\n'}]},
	{type: 'clock', at: start, offset: 1500.5},
	{type: 'tick', at: start},
);
const stories = fc
	.array(fc.tuple(fc.oneof(batches, others), fc.constantFrom(0, 0, 0.5, 1000)), {maxLength: 12})
	.map((steps) => {
		let at = start;
		return steps.map(([entry, pause]): RecordingEntry => {
			at += pause;
			return {...entry, at};
		});
	});

test('whatever was heard, together or apart, is read as it was', () => {
	fc.assert(
		fc.property(stories, (story) => {
			expect(entriesOf(linesOf(story))).toEqual({entries: story, broken: 0});
		}),
		{numRuns: 1000},
	);
});

test('an object is ADDED at first and MODIFIED then, until it is gone', () => {
	const node = {type: 'nodeApplied', node: aNode('n1')} as const;
	const observations = [node, node, {type: 'nodeDeleted', name: 'n1'} as const, node];
	const types = linesOf([{type: 'batch', at: start, observations}]).map((line) => JSON.parse(line).type);
	expect(types).toEqual(['META', 'ADDED', 'MODIFIED', 'DELETED', 'ADDED']);
});

const header = {
	program: 'v0',
	title: 'test',
	kubernetesVersion: 'v1.36.3',
	isPartial: false,
	settings: {a: 1},
};

async function written(
	name: string,
	story: readonly RecordingEntry[],
	folder: TemporaryFolder,
): Promise<string> {
	const file = join(folder.path, name);
	const writer = recordingWriter(await newRecordingFile(file), instantTiming({now: () => start}), header);
	for (const entry of story) if (entry.type === 'batch' || entry.type === 'problems') writer.push(entry);
	await writer.close();
	return file;
}

async function readAll(file: string, bytes?: Uint8Array) {
	const recording = await openRecording({name: file, bytes});
	if (!recording) throw new Error('no recording');
	const entries: RecordingEntry[] = [];
	for await (const entry of recording.entries()) entries.push(entry);
	return {recording, entries, problems: recording.problems};
}

const story: readonly RecordingEntry[] = [
	{type: 'batch', at: start, observations: samples},
	{type: 'problems', at: start, problems: [{reason: 'LeasesForbidden', message: 'no'}]},
	{
		type: 'batch',
		at: start + 10,
		observations: samples.slice(0, 2),
		provenance: {type: 'late', since: start},
	},
	{type: 'batch', at: start + 20, observations: samples.slice(3, 5)},
];

test.for(['outage.jsonl', 'outage.jsonl.gz'])(
	'%s holds what was told, with a first and a last word',
	async (name) => {
		using folder = new TemporaryFolder();
		const {recording, entries, problems} = await readAll(await written(name, story, folder));
		expect(recording.header).toEqual({format: 1, ...header});
		expect(recording.startedAt).toBe(start);
		// The writer's clock stands still here: the end entry is never before the last event.
		expect(entries).toEqual([...story, {type: 'end', at: start + 20}]);
		expect(problems).toEqual([]);
	},
);

test.for(['outage.jsonl', 'outage.jsonl.gz'])(
	'%s that is cut off anywhere gives what is whole of it, and says so',
	async (name) => {
		using folder = new TemporaryFolder();
		const whole = readFileSync(await written(name, story, folder));
		const {entries: all} = await readAll(name, whole);
		const told = (entries: readonly RecordingEntry[]) =>
			entries.flatMap((entry) => (entry.type === 'batch' ? entry.observations : []));
		const [first = 0] = [name.endsWith('.gz') ? 400 : whole.indexOf('\n') + 1];
		await fc.assert(
			fc.asyncProperty(fc.integer({min: first, max: whole.length - 1}), async (length) => {
				const {entries, problems} = await readAll(name, whole.subarray(0, length));
				expect(told(all).slice(0, told(entries).length)).toEqual(told(entries));
				const isWhole = entries.at(-1)?.type === 'end' && name.endsWith('.gz');
				if (!isWhole) expect(problems).toMatchObject([{reason: 'RecordingIncomplete'}]);
			}),
			{numRuns: 200},
		);
	},
);

test('a packed recording can be unpacked up to each write, before it is closed', async () => {
	using folder = new TemporaryFolder();
	const file = join(folder.path, 'x.gz');
	const sink = await newRecordingFile(file);
	for (const text of ['one\n', 'two\n']) {
		await sink.write(text);
		const unpacked = gunzipSync(readFileSync(file), {finishFlush: 2}).toString();
		expect(unpacked.endsWith(text)).toBe(true);
	}
	await sink.close();
	expect(gunzipSync(readFileSync(file)).toString()).toBe('one\ntwo\n');
	expect(sink.bytes()).toBe(readFileSync(file).length);
});

test('a recording of several packed parts, as cat makes it, is read', async () => {
	using folder = new TemporaryFolder();
	const lines = readFileSync(await written('a.jsonl', story, folder), 'utf8').split(/(?<=\n)/);
	const packed = Buffer.concat([gzipSync(lines.slice(0, 9).join('')), gzipSync(lines.slice(9).join(''))]);
	expect((await readAll('a.gz', packed)).entries).toHaveLength(story.length + 1);
});

test('lines that make no sense are counted, and the others read', async () => {
	using folder = new TemporaryFolder();
	const file = await written('a.jsonl', story, folder);
	const lines = readFileSync(file, 'utf8').split(/(?<=\n)/);
	lines.splice(
		3,
		0,
		'{"at":"2026-01-31T14:07:31.000Z","type":"ADDED","object":{"kind":"Pod","apiVersion":"v1"}}\n',
		'junk\n',
		'{}\n',
	);
	writeFileSync(file, lines.join(''));
	const {entries, problems} = await readAll(file);
	expect(entries).toEqual([...story, {type: 'end', at: start + 20}]);
	expect(problems).toEqual([
		{reason: 'RecordingIncomplete', message: '3 lines could not be read'},
		{reason: 'ObjectsUnreadable', message: 'not understood, left out: Pod without a name or a namespace (1)'},
	]);
});

test('a line of a later version, of a kind that is not known here, is passed over', () => {
	const text = `{"at":"2026-01-31T14:07:31.000Z","type":"META","meta":{"kind":"Kubelet","pods":[]}}\n`;
	expect(entriesOf([text])).toEqual({entries: [{type: 'tick', at: start}], broken: 0});
});

test('a format that is not known is an error, and a dump is no recording', async () => {
	const bytes = Buffer.from(
		`{"at":"2026-01-31T14:07:31Z","type":"META","meta":{"kind":"Recording","format":2,"program":"v9"}}\n`,
	);
	await expect(openRecording({name: 'x', bytes})).rejects.toThrow(
		'x is a recording of format 2, written by evictwatch v9',
	);
	expect(
		await openRecording({name: 'x', bytes: Buffer.from('{"kind":"List","items":[]}\n')}),
	).toBeUndefined();
	expect(await openRecording({name: 'x', bytes: Buffer.from('')})).toBeUndefined();
});

test('no recording is written over another', async () => {
	using folder = new TemporaryFolder();
	const file = folder.write('there.jsonl', 'x');
	await expect(newRecordingFile(file)).rejects.toThrow(`${file} exists already`);
	await expect(newRecordingFile(join(folder.path, 'no/such/folder'))).rejects.toThrow('cannot write');
});

test('a recording is for nobody else to read', async () => {
	using folder = new TemporaryFolder();
	for (const name of ['outage.jsonl', 'outage.jsonl.gz']) {
		const file = join(folder.path, name);
		await (await newRecordingFile(file)).close();
		expect(statSync(file).mode & 0o777).toBe(0o600);
	}
});

test('a disk that stands still does not fill the memory', async () => {
	const {promise, resolve} = Promise.withResolvers<void>();
	const writer = recordingWriter(
		{write: () => promise, close: async () => undefined},
		instantTiming(),
		header,
	);
	const many = Array.from({length: 300_000}, () => samples[2] as Observation);
	await new Promise((go) => setImmediate(go));
	for (let i = 0; i < 4; i++) writer.push(batch(many, start));
	resolve();
	await expect(writer.done).rejects.toThrow('cannot be written as fast as the cluster changes');
});

test('silence is recorded, too: somebody listened', async () => {
	let now = start;
	const texts: string[] = [];
	const ended = new AbortController();
	const timing = {
		now: () => now,
		sleep: async (duration: number, signal: AbortSignal) => {
			if (duration < 10 * second) return;
			now += duration;
			if (now > start + 35 * second) ended.abort();
			if (ended.signal.aborted && !signal.aborted)
				await new Promise((go) => signal.addEventListener('abort', go, {once: true}));
		},
	};
	const sink = {write: async (text: string) => void texts.push(text), close: async () => undefined};
	const writer = recordingWriter(sink, timing, header);
	await new Promise((go) => ended.signal.addEventListener('abort', go));
	await writer.close();
	const {entries} = entriesOf(texts);
	expect(entries.map(({type, at}) => `${type} ${(at - start) / second}`)).toEqual([
		...['header 0', 'tick 10', 'tick 20', 'tick 30', 'end 40'],
	]);
});

test('a first look that was cut off is none: half a cluster misleads', () => {
	const observations = samples.slice(0, 2);
	const lines = linesOf([{type: 'batch', at: start, observations}]);
	expect(JSON.parse(lines[0] ?? '')).toMatchObject({type: 'META', meta: {kind: 'Batch', objects: 2}});
	expect(entriesOf(lines.slice(0, -1)).entries).toEqual([]);
	expect(entriesOf(lines).entries).toHaveLength(1);
	const [first, ...later] = linesOf([
		{type: 'batch', at: start, observations: []},
		{type: 'batch', at: start + 1, observations: Array.from({length: 101}, () => samples[2] as Observation)},
		{type: 'batch', at: start + 2, observations},
	]);
	expect(entriesOf([first ?? '', ...later.slice(0, 50)]).entries).toHaveLength(1);
	expect(entriesOf([first ?? '', ...later.slice(0, -1)]).entries).toHaveLength(3);
});
