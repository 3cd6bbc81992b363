import {writeSync} from 'node:fs';
import type {RunningScreen} from './runScreen.ts';

const signals = {SIGINT: 130, SIGTERM: 143, SIGHUP: 129} as const;

// The primary screen, the cursor, no synchronized update, no bracketed paste.
const restore = '\x1b[?2026l\x1b[?2004l\x1b[?25h';
const leaveAlternate = '\x1b[?1049l';

/**
 * Runs a screen so that the terminal is given back whatever happens: on a signal, on a bug anywhere in the process, and
 * at its very end.
 *
 * @returns the exit code: 0 where it ended by a key, else that of the signal
 * @throws the bug that ended it
 */
export async function guarded(screen: RunningScreen, isAlternate: boolean): Promise<number> {
	let exitCode = 0;
	const onSignal = (name: NodeJS.Signals) => {
		exitCode = signals[name as keyof typeof signals] ?? 1;
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
	// Node prints warnings to the terminal, in the middle of the screen.
	const warners = process.listeners('warning');
	process.removeAllListeners('warning');
	for (const name of Object.keys(signals)) process.on(name, onSignal);
	if (process.platform !== 'win32') process.on('SIGCONT', onContinue).on('SIGTSTP', onStop);
	process.on('uncaughtException', onBug).on('unhandledRejection', onBug).on('exit', onExit);
	try {
		await screen.ended;
		return exitCode;
	} finally {
		for (const warner of warners) process.on('warning', warner);
		for (const name of Object.keys(signals)) process.off(name, onSignal);
		process.off('SIGCONT', onContinue).off('SIGTSTP', onStop);
		process.off('uncaughtException', onBug).off('unhandledRejection', onBug).off('exit', onExit);
	}
}
