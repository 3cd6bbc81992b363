import {untilBothEnd} from '../../src/async/taskGroup.ts';
import {never} from '../../src/core/time/instant.ts';
import type {Recording} from '../../src/recording/format/recording.ts';
import {loadTape} from '../../src/recording/format/tape.ts';
import type {Options} from '../args/options.ts';
import {speedOf} from '../args/quantities.ts';
import {usageError} from '../args/usageError.ts';
import {followRecording} from '../lists/followList.ts';
import {podListing} from '../lists/listings.ts';
import {hasScreen, type Terminal} from '../output/terminal.ts';
import {instantOf, recordingOf} from '../sources/fileScene.ts';
import {evidenceOfRecording} from '../sources/recordedSettings.ts';

/** The command `replay`: the dashboard on a recording; streams changes for `-o`, `-w`, `-l` or without a terminal. */
export async function replay(options: Options, terminal: Terminal) {
	const {names, output, watch, flags} = options;
	const [name, ...more] = names;
	if (name === undefined || more.length > 0) throw usageError('want one recording to play: replay FILE');
	const recording = await recordingOf([name]);
	// Fails for an instant outside the recording.
	instantOf(recording, options.at, never);
	const isForScreen = output === 'table' && !watch && flags.selector === undefined;
	if (isForScreen && hasScreen()) return replayOnScreen(recording, options);
	return followRecording(podListing, recording, options, terminal);
}

async function replayOnScreen(recording: Recording, options: Options) {
	const [{commandScreen}, {replaySource}] = await Promise.all([
		import('../dashboard/dashboardTerminal.ts'),
		import('../dashboard/replaySource.ts'),
	]);
	const tape = await loadTape(recording);
	const evidence = evidenceOfRecording(options.controller, recording.header);
	const speed = speedOf(options.flags.speed) ?? 1;
	const source = replaySource(recording, tape, evidence, speed);
	if (options.at !== undefined) source.tape.seek(instantOf(recording, options.at, tape.endedAt));
	const stop = new AbortController();
	const playing = source.run(stop.signal).finally(() => stop.abort());
	const {namespace} = options.flags;
	const screen = commandScreen(options);
	const shown = screen.show({source, namespace, menu: undefined}, stop.signal).finally(() => stop.abort());
	const {exitCode} = await untilBothEnd(playing, shown);
	return exitCode;
}
