import {setTimeout as sleep} from 'node:timers/promises';
import {render, useApp} from 'ink';
import {type ReactNode, useEffect} from 'react';
import type {Background} from './background.ts';

export type ScreenTerminal = Readonly<{
	stdin: NodeJS.ReadStream;
	stdout: NodeJS.WriteStream;
	/** Whether the screen uses the alternate buffer, which restores the earlier content at the end. */
	isAlternate: boolean;
	isScreenReader: boolean;
}>;

export type RunningScreen = Readonly<{
	/** Ends it and restores the terminal; with an error, `ended` rejects. */
	end: (error?: Error) => void;
	/** Suspends the process to the shell. */
	stop: () => void;
	redraw: () => void;
	/** Lends the terminal to something else that reads and writes on it. */
	lend: <T>(use: () => Promise<T>) => Promise<T>;
	/** Writes a sequence that leaves no trace on the screen. */
	tell: (sequence: string) => void;
	/** Resolves once everything drawn has been written. */
	flushed: () => Promise<void>;
	/** Resolves once the terminal is restored. */
	ended: Promise<void>;
}>;

type Suspend = (during: () => Promise<void>) => Promise<void>;

const longestStop = 200;

/** The minimum time between frames, in milliseconds. Only keys cause frequent frames, which must not wait for the clock's. */
const shortestPause = 8;

type SuspendableProps = {readonly onReady: (suspend: Suspend) => void; readonly children?: ReactNode};

/** Passes on ink's function that lends the terminal for a while. */
function Suspendable({onReady, children}: SuspendableProps): ReactNode {
	const {suspendTerminal} = useApp();
	useEffect(() => onReady(suspendTerminal), [onReady, suspendTerminal]);
	return children;
}

/** Shows a screen until it is ended. @param background if the screen asks for it */
export function showScreen(
	screen: ReactNode,
	{stdin, stdout, isAlternate, isScreenReader}: ScreenTerminal,
	background?: Background,
): RunningScreen {
	let suspend: Suspend | undefined;
	const ready = Promise.withResolvers<void>();
	const onReady = (found: Suspend) => {
		suspend = found;
		ready.resolve();
	};
	const instance = render(<Suspendable onReady={onReady}>{screen}</Suspendable>, {
		stdin,
		stdout,
		exitOnCtrlC: false,
		patchConsole: false,
		interactive: true,
		incrementalRendering: true,
		maxFps: 1000 / shortestPause,
		alternateScreen: isAlternate,
		isScreenReaderEnabled: isScreenReader,
	});
	// Only one loan at a time: `lend` waits for the one in progress.
	let away: Promise<void> | undefined;
	let isLent = false;
	let isEnding = false;
	const cut = Promise.withResolvers<void>();
	const handOver = async (during: () => Promise<void>): Promise<void> => {
		if (!suspend || away) return;
		const turn = suspend(() => Promise.race([during(), cut.promise])).finally(() => {
			away = undefined;
		});
		away = turn.catch(() => undefined);
		await turn;
	};
	const ended = instance.waitUntilExit().then(() => undefined);
	const lend = async <T,>(use: () => Promise<T>): Promise<T> => {
		await Promise.race([ready.promise, ended.catch(() => undefined)]);
		while (away) await away;
		// A plugin that the ending signal interrupted must not be run again.
		if (isEnding) throw new Error('the screen was closed');
		const used = Promise.withResolvers<T>();
		// An error of `use` rejects the loan, after the screen is back.
		used.promise.catch(() => undefined);
		await handOver(async () => {
			isLent = true;
			await stopReading(stdin);
			const using = use();
			used.resolve(using);
			await using.catch(() => undefined);
			isLent = false;
		});
		return suspend ? used.promise : use();
	};
	return {
		end: (error) => {
			isEnding = true;
			// Ink can leave the screen only once it has the terminal back. A signal from the keyboard also ends the borrower.
			if (away) void sleep(longestStop).then(cut.resolve);
			const wait = away ?? background?.settled();
			if (wait) void wait.then(() => instance.unmount(error));
			else instance.unmount(error);
		},
		stop: () => {
			// Windows has no job control.
			if (process.platform === 'win32') return;
			if (isLent) void stopProcess();
			else void handOver(stopProcess);
		},
		redraw: () => void handOver(async () => undefined),
		lend,
		tell: (sequence) => stdout.write(sequence),
		flushed: () => instance.waitUntilRenderFlush(),
		ended,
	};
}

/** Stops the whole job, as the terminal does on ctrl-z outside raw mode, and waits until it continues. */
async function stopProcess(): Promise<void> {
	const {promise, resolve} = Promise.withResolvers<void>();
	process.once('SIGCONT', resolve);
	// A listener for the signal would keep the process from stopping.
	const listeners = process.rawListeners('SIGTSTP') as NodeJS.SignalsListener[];
	process.removeAllListeners('SIGTSTP');
	process.kill(0, 'SIGTSTP');
	// Without a shell to return to, nothing stops.
	const timer = setTimeout(resolve, longestStop);
	await promise;
	clearTimeout(timer);
	process.removeListener('SIGCONT', resolve);
	for (const listener of listeners) process.on('SIGTSTP', listener);
}

/** Leaves typed input to others: a stream whose last listener is gone keeps reading from the terminal. */
async function stopReading(stdin: Pick<NodeJS.ReadStream, 'pause'>): Promise<void> {
	// A stream needs one turn to notice that it has no listener, and another one to pause.
	await new Promise(setImmediate);
	stdin.pause();
	await new Promise(setImmediate);
}
