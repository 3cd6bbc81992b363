import {writeSync} from 'node:fs';
import type {ReadStream} from 'node:tty';
import type {DemoScenario} from '../src/demo/scenarios.ts';
import type {ControllerOptions} from './controllerOptions.ts';
import {Canvas, restoreTerminal, type ScreenSize} from './demoCanvas.ts';
import {DemoFrames} from './demoFrame.ts';
import {watchDemo} from './demoWatch.ts';
import type {Terminal} from './terminal.ts';

/** The first deletions come after some ten seconds, and a minute of the cluster's is over in six. */
const defaultSpeed = 10;
const leastPause = 100;
/** The last two are Ctrl-C and Ctrl-D. */
const quitKeys = ['q', 'Q', '\x03', '\x04'];

/** Plays a scenario on a terminal until it is told to stop. */
export async function playOnScreen(
	scenario: DemoScenario,
	speed: number = defaultSpeed,
	controller: ControllerOptions,
	terminal: Terminal,
): Promise<number> {
	const {stdin, stdout} = process;
	const stop = new AbortController();
	const canvas = new Canvas(terminal.print);
	const frames = new DemoFrames(scenario, speed);
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
	if (stdin.isTTY) stopOnKeys(stdin, stop);
	// Whatever ends the process, a bug too.
	process.once('exit', () => writeSync(stdout.fd, restoreTerminal));
	stdout.on('resize', () => canvas.resized());
	await watchDemo(
		scenario,
		{speed, pause: leastPause, controller},
		(scene) => {
			const size = sizeOf(stdout);
			return canvas.draw(frames.frame(scene, size.rows), size);
		},
		stop.signal,
	);
	return 0;
}

// In raw mode no key leaves a trace on the screen, and Ctrl-C is one of them. Node itself ends the mode with the process.
function stopOnKeys(stdin: ReadStream, stop: AbortController): void {
	stdin.setRawMode(true);
	stdin.on('data', (keys) => {
		if (quitKeys.some((key) => String(keys).includes(key))) stop.abort();
	});
}

// A terminal of unknown size counts as the smallest usual one.
const sizeOf = ({rows, columns}: Partial<ScreenSize>): ScreenSize => ({
	rows: rows || 24,
	columns: columns || 80,
});
