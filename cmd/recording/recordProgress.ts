import {type Duration, second} from '../../src/core/time/instant.ts';
import {formatDuration} from '../../src/dates/duration.ts';
import {count} from '../../src/forecast/words.ts';
import type {RecordingWriter} from '../../src/recording/format/recordingWriter.ts';
import type {Terminal} from '../output/terminal.ts';

type Progress = Readonly<{
	name: string;
	counts: ReturnType<RecordingWriter['counts']>;
	bytes: number;
	elapsed: Duration;
}>;

const onScreen: Duration = second;
/** The interval in logs, where a line each second would be noise. */
const inLog: Duration = 30 * second;

function progressLine({name, counts, bytes, elapsed}: Progress): string {
	const {nodes, pods, leases, events} = counts;
	const objects = [count(nodes, 'node'), count(pods, 'pod'), count(leases, 'lease'), count(events, 'event')];
	const where = name === '-' ? 'standard output' : name;
	return `recording to ${where}: ${formatDuration(elapsed)}, ${sizeOf(bytes)}, ${objects.join(', ')}`;
}

/** A byte count for people: `1.2 MB`. */
export function sizeOf(bytes: number): string {
	if (bytes < 1000) return `${bytes} B`;
	if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
	return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}

/** Prints progress until the function returned is called: on a terminal in one line that is updated, else every 30 s. */
export function printingProgress(terminal: Terminal, progress: () => Progress): () => Promise<void> {
	const isTerminal = process.stderr.isTTY === true;
	const print = () =>
		isTerminal
			? terminal.replaceLine(`${progressLine(progress())} (ctrl-c ends it)`)
			: terminal.printError(`${progressLine(progress())}\n`);
	const timer = setInterval(print, isTerminal ? onScreen : inLog);
	return () => {
		clearInterval(timer);
		const last = `${progressLine(progress())}\n`;
		return isTerminal ? terminal.replaceLine(last) : terminal.printError(last);
	};
}
