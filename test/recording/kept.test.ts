import {globSync} from 'node:fs';
import {expect, test} from 'vitest';
import {entryDecoder} from '../../src/recording/format/decodeEntry.ts';
import {entryEncoder} from '../../src/recording/format/encodeEntry.ts';
import type {RecordingEntry} from '../../src/recording/format/entry.ts';
import {openRecording} from '../../src/recording/format/recording.ts';

const kept = globSync('test/{nets/outages,forecast/pressure/plays}/*.jsonl.gz');

test.for(kept)(
	'%s, which an earlier version wrote, is read whole, and is the same when written anew',
	async (name) => {
		const recording = await openRecording({name});
		const entries: RecordingEntry[] = [];
		for await (const entry of recording?.entries() ?? []) entries.push(entry);
		expect(recording?.problems).toEqual([]);
		expect(entries.length).toBeGreaterThan(100);
		const [encoder, decoder] = [entryEncoder(), entryDecoder()];
		const again = entries.flatMap((entry) =>
			[...encoder.lines(entry)].flatMap((line) => [...decoder.line(line)]),
		);
		expect([...again, ...decoder.end()]).toEqual(entries);
		expect(decoder.broken).toBe(0);
	},
);
