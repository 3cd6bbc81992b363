import {expect, test} from 'vitest';
import {replaySource} from '../../../cmd/dashboard/replaySource.ts';
import {evidenceOfRecording} from '../../../cmd/sources/recordedSettings.ts';
import {minute, second} from '../../../src/core/time/instant.ts';
import {openRecording} from '../../../src/recording/format/recording.ts';
import {loadTape} from '../../../src/recording/format/tape.ts';
import {pressureRows} from '../../../src/ui/scene/pressureRows.ts';
import {recordedFrom, recordedOutage, writeRecording} from '../../support/recordedOutage.ts';
import {TemporaryFolder} from '../../support/testEnvironment.ts';

test('the dashboard on a recording shows what nodes run short of, and explains whom that strikes', async () => {
	using folder = new TemporaryFolder();
	const name = await writeRecording(folder, 'leak.jsonl', recordedOutage('node-pressure', 4 * minute));
	const recording = await openRecording({name});
	if (!recording) throw new Error('no recording');
	const controller = {asked: {versionFlag: undefined, flags: {}}, notes: []};
	const evidence = evidenceOfRecording(controller, recording.header);
	const tape = await loadTape(recording);
	const source = replaySource(recording, tape, evidence, 1);
	const end = new AbortController();
	const at = recordedFrom + 190 * second;
	const shown = Promise.withResolvers<void>();
	source.subscribe(() => {
		if (source.get().forecast?.observedAt === at) shown.resolve();
	});
	source.tape.toggle();
	source.tape.seek(at);
	const playing = source.run(end.signal);
	await Promise.race([shown.promise, playing]);
	const {forecast} = source.get();
	if (!forecast) throw new Error('there is no forecast');
	expect(forecast.problems.map(({reason}) => reason)).toContain('OwnersMissing');
	expect(pressureRows(forecast)[0]).toMatchObject({
		node: 'b2',
		signal: {signal: 'memory.available'},
		next: {pod: {name: 'search-4z67jx49b-xc6sj'}, isCertain: true},
	});
	const victim = {kind: 'pod', namespace: 'shop', name: 'search-4z67jx49b-xc6sj'} as const;
	const texts = source
		.explain(victim)
		?.steps.map((step) =>
			JSON.stringify(step, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
		);
	expect(texts?.join()).toContain('place 1');
	end.abort();
	await playing;
});
