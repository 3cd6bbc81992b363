import {type Duration, second} from '../../src/core/time/instant.ts';
import {count} from '../../src/forecast/words.ts';
import {formatDuration} from '../../src/print/countdown.ts';
import type {RecordingCounts} from '../../src/recording/format/recordingWriter.ts';
import type {Terminal} from '../output/terminal.ts';

/** How far a recording is. */
type Progress = {
	readonly name: string;
	readonly counts: RecordingCounts;
	readonly bytes: number;
	readonly elapsed: Duration;
};

const onScreen: Duration = second;
/** In a log, a line each second would be noise. */
const inLog: Duration = 30 * second;

/** One line that says how far a recording is. */
function progressLine({name, counts, bytes, elapsed}: Progress): string {
	const {nodes, pods, leases, events} = counts;
	const objects = [count(nodes, 'node'), count(pods, 'pod'), count(leases, 'lease'), count(events, 'event')];
	const where = name === '-' ? 'standard output' : name;
	return `recording to ${where}: ${formatDuration(elapsed)}, ${sizeOf(bytes)}, ${objects.join(', ')}`;
}

/** A number of bytes as people read it. */
export function sizeOf(bytes: number): string {
	if (bytes < 1000) return `${bytes} B`;
	if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
	return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}

/** Tells how far a recording is until its end: on a terminal in one line that changes, elsewhere now and then. */
export function progressOf(
	terminal: Terminal,
	isTerminal: boolean,
	progress: () => Progress,
): {readonly end: () => Promise<void>} {
	const tell = () =>
		isTerminal
			? terminal.replaceLine(`${progressLine(progress())} (ctrl-c ends it)`)
			: terminal.printError(`${progressLine(progress())}\n`);
	const timer = setInterval(tell, isTerminal ? onScreen : inLog);
	return {
		end: async () => {
			clearInterval(timer);
			const last = `${progressLine(progress())}\n`;
			await (isTerminal ? terminal.replaceLine(last) : terminal.printError(last));
		},
	};
}
