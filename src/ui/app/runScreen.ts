import {setTimeout as sleep} from 'node:timers/promises';
import {render, useApp} from 'ink';
import {createElement, type ReactNode, useEffect} from 'react';

/** The terminal that a screen is shown on. */
export type ScreenTerminal = {
	readonly stdin: NodeJS.ReadStream;
	readonly stdout: NodeJS.WriteStream;
	/** Whether the screen takes the place of what was there, and gives it back afterwards. */
	readonly isAlternate: boolean;
	readonly isScreenReader: boolean;
};

/** What a running screen can be told. */
export type RunningScreen = {
	/** Ends it and gives the terminal back; an error is thrown by `ended` then. */
	readonly end: (error?: Error) => void;
	/** Gives the terminal to the shell until the process goes on. */
	readonly stop: () => void;
	/** Forgets what is on the terminal, and draws all of it. */
	readonly redraw: () => void;
	/** Gives the terminal to something else that reads and writes on it, for as long as that takes. */
	readonly lend: <T>(use: () => Promise<T>) => Promise<T>;
	/** Writes what leaves no trace on the screen. */
	readonly tell: (sequence: string) => void;
	/** Resolves once all that was drawn has been written. */
	readonly flushed: () => Promise<void>;
	/** Resolves once the terminal is as it was. */
	readonly ended: Promise<void>;
};

type Suspend = (during: () => Promise<void>) => Promise<void>;

const longestStop = 200;

/**
 * Between two frames lie so many milliseconds at the least. All but keys draw a few times a second, and a key's frame is not
 * to wait for the clock's.
 */
const shortestPause = 8;

type SuspendableProps = {readonly onReady: (suspend: Suspend) => void; readonly children?: ReactNode};

/** Hands out what gives the terminal to somebody else for a while. */
function Suspendable({onReady, children}: SuspendableProps): ReactNode {
	const {suspendTerminal} = useApp();
	useEffect(() => onReady(suspendTerminal), [onReady, suspendTerminal]);
	return children;
}

/** Shows a screen until it is ended. */
export function showScreen(
	screen: ReactNode,
	{stdin, stdout, isAlternate, isScreenReader}: ScreenTerminal,
): RunningScreen {
	let suspend: Suspend | undefined;
	const ready = Promise.withResolvers<void>();
	const onReady = (found: Suspend) => {
		suspend = found;
		ready.resolve();
	};
	const instance = render(createElement(Suspendable, {onReady}, screen), {
		...{stdin, stdout, exitOnCtrlC: false, patchConsole: false, interactive: true},
		...{incrementalRendering: true, maxFps: 1000 / shortestPause},
		...{alternateScreen: isAlternate, isScreenReaderEnabled: isScreenReader},
	});
	// One hand-over at a time: a second asks while the first is still on.
	let away: Promise<void> | undefined;
	let isLent = false;
	const handOver = async (during: () => Promise<void>): Promise<void> => {
		if (!suspend || away) return;
		const turn = suspend(during).finally(() => {
			away = undefined;
		});
		away = turn.catch(() => undefined);
		await turn;
	};
	const ended = instance.waitUntilExit().then(() => undefined);
	const lend = async <T>(use: () => Promise<T>): Promise<T> => {
		await Promise.race([ready.promise, ended.catch(() => undefined)]);
		while (away) await away;
		const used = Promise.withResolvers<T>();
		// What it throws comes out of the hand-over, once the screen is back.
		await handOver(async () => {
			isLent = true;
			await stopReading(stdin);
			try {
				used.resolve(await use());
			} finally {
				isLent = false;
			}
		});
		return suspend ? used.promise : use();
	};
	return {
		end: (error) => {
			// A signal from the keyboard ends the borrower, too: only then is there a screen that can be left.
			if (!away || !isLent) instance.unmount(error);
			else void Promise.race([away, sleep(longestStop)]).then(() => instance.unmount(error));
		},
		stop: () => {
			// Windows knows no jobs.
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

/** Leaves what is typed to others: ink stops listening, but goes on taking it from the terminal. */
async function stopReading(stdin: NodeJS.ReadStream): Promise<void> {
	// A stream notices only in its next turn that nobody listens any more, and in the one after it that it pauses.
	await new Promise(setImmediate);
	stdin.pause();
	await new Promise(setImmediate);
}

/** Stops the whole job, as the terminal itself does on ctrl-z outside of raw mode, and waits until it goes on. */
async function stopProcess(): Promise<void> {
	const {promise, resolve} = Promise.withResolvers<void>();
	process.once('SIGCONT', resolve);
	// Whoever listens to the signal keeps the process from stopping.
	const listeners = process.rawListeners('SIGTSTP') as NodeJS.SignalsListener[];
	process.removeAllListeners('SIGTSTP');
	process.kill(0, 'SIGTSTP');
	// Where there is no shell to come back from, nothing stops.
	const timer = setTimeout(resolve, longestStop);
	await promise;
	clearTimeout(timer);
	process.removeListener('SIGCONT', resolve);
	for (const listener of listeners) process.on('SIGTSTP', listener);
}
