import type {Recording} from '../src/recording/recording.ts';
import {loadTape} from '../src/recording/tape.ts';
import {bothEnd} from './bothEnd.ts';
import {recordingOf} from './fileScene.ts';
import {followRecording} from './followRecording.ts';
import {hasScreen} from './hasScreen.ts';
import {podListing} from './listing.ts';
import type {Options} from './options.ts';
import {settingsOfRecording} from './recordedSettings.ts';
import {speedOf} from './speed.ts';
import type {Terminal} from './terminal.ts';
import {usageError} from './usageError.ts';

/** The command `replay`: a recording in the dashboard; as a stream of changes where output in a form is asked for. */
export async function replay(options: Options, terminal: Terminal): Promise<number> {
	const {names, output, watch, flags} = options;
	const [name, ...more] = names;
	if (name === undefined || more.length > 0) throw usageError('want one recording to play: replay FILE');
	const recording = await recordingOf([name]);
	const isForScreen = output === 'table' && !watch && flags.selector === undefined;
	if (isForScreen && hasScreen()) return replayOnScreen(recording, options);
	return followRecording(podListing, recording, options, terminal);
}

async function replayOnScreen(recording: Recording, options: Options): Promise<number> {
	const [{dashboardLook, screenTerminal}, {ReplaySource}, {runDashboard}] = await Promise.all([
		import('./dashboardTerminal.ts'),
		import('./replaySource.ts'),
		import('../src/ui/app/runDashboard.ts'),
	]);
	const look = await dashboardLook(options);
	const tape = await loadTape(recording);
	const inForce = settingsOfRecording(options.controller, recording.header);
	const speed = speedOf(options.flags.speed) ?? 1;
	const source = new ReplaySource({recording, tape, inForce, speed});
	if (options.at !== undefined) source.tape.seek(options.at);
	const stop = new AbortController();
	const playing = source.run(stop.signal).finally(() => stop.abort());
	const shown = runDashboard(
		{...look, source, namespace: options.flags.namespace, hasMenu: false},
		screenTerminal(!options.flags.noAltScreen),
		stop.signal,
	).finally(() => stop.abort());
	const {exitCode} = await bothEnd(playing, shown);
	return exitCode;
}
