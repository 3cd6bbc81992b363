import {render} from 'ink';
import {createElement} from 'react';
import {App, type Screenful} from './app.ts';
import {RowSigns, showingRows} from './rowSigns.ts';

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
	/** Writes what leaves no trace on the screen. */
	readonly tell: (sequence: string) => void;
	/** Resolves once all that was drawn has been written. */
	readonly flushed: () => Promise<void>;
	/** Resolves once the terminal is as it was. */
	readonly ended: Promise<void>;
};

type Suspend = (during: () => Promise<void>) => Promise<void>;

const longestStop = 200;

/** Shows a screen until it is ended. */
export function showScreen(
	screen: Screenful,
	{stdin, stdout, isAlternate, isScreenReader}: ScreenTerminal,
): RunningScreen {
	let suspend: Suspend | undefined;
	const signs = new RowSigns();
	const instance = render(
		createElement(App, {
			screen,
			signs,
			onReady: (ready) => {
				suspend = ready;
			},
		}),
		{
			...{
				stdin,
				stdout: isScreenReader ? stdout : showingRows(stdout, signs),
				exitOnCtrlC: false,
				patchConsole: false,
				incrementalRendering: true,
				interactive: true,
				maxFps: 30,
			},
			...{alternateScreen: isAlternate, isScreenReaderEnabled: isScreenReader},
		},
	);
	// One hand-over at a time: a second asks while the first is still on.
	let isAway = false;
	const handOver = (during: () => Promise<void>) => {
		if (!suspend || isAway) return;
		isAway = true;
		void suspend(during).finally(() => {
			isAway = false;
		});
	};
	return {
		end: (error) => instance.unmount(error),
		stop: () => {
			// Windows knows no jobs.
			if (process.platform !== 'win32') handOver(stopProcess);
		},
		redraw: () => handOver(async () => undefined),
		tell: (sequence) => stdout.write(sequence),
		flushed: () => instance.waitUntilRenderFlush(),
		ended: instance.waitUntilExit().then(() => undefined),
	};
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
