import {writeSync} from 'node:fs';
import {constants} from 'node:os';
import {endingSignals} from '../../async/endingSignals.ts';
import type {RunningScreen} from './runScreen.tsx';

// Restores the cursor, and ends synchronized update and bracketed paste.
const restore = '\x1b[?2026l\x1b[?2004l\x1b[?25h';
const leaveAlternate = '\x1b[?1049l';

/**
 * Runs a screen and always restores the terminal: on a signal, on a bug anywhere in the process, and at exit.
 *
 * @returns the exit code: 0 if it ended by a key, otherwise the signal's
 * @throws the bug that ended it
 */
export async function guarded(screen: RunningScreen, isAlternate: boolean): Promise<number> {
	let exitCode = 0;
	const onSignal = (name: NodeJS.Signals) => {
		exitCode = 128 + constants.signals[name];
		screen.end();
	};
	const onBug = (error: unknown) => screen.end(error instanceof Error ? error : new Error(String(error)));
	const onExit = () => {
		try {
			writeSync(process.stdout.fd, `${restore}${isAlternate ? leaveAlternate : ''}`);
		} catch {
			// The terminal is gone.
		}
	};
	const onContinue = () => screen.redraw();
	const onStop = () => screen.stop();
	// Node would print warnings into the middle of the screen.
	const warners = process.listeners('warning');
	process.removeAllListeners('warning');
	for (const name of endingSignals) process.on(name, onSignal);
	if (process.platform !== 'win32') process.on('SIGCONT', onContinue).on('SIGTSTP', onStop);
	process.on('uncaughtException', onBug).on('unhandledRejection', onBug).on('exit', onExit);
	try {
		await screen.ended;
		return exitCode;
	} finally {
		for (const warner of warners) process.on('warning', warner);
		for (const name of endingSignals) process.off(name, onSignal);
		process.off('SIGCONT', onContinue).off('SIGTSTP', onStop);
		process.off('uncaughtException', onBug).off('unhandledRejection', onBug).off('exit', onExit);
	}
}
