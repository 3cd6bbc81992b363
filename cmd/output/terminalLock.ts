import type {Environment} from '../../src/cluster/access/environment.ts';
import type {Terminal} from './terminal.ts';

type Lend = Environment['lendTerminal'];

/** The last characters kept of messages while a screen is shown. */
const mostWords = 4096;

export type TerminalLock = ReturnType<typeof terminalLock>;

/** Decides who has the terminal: the program, or a credential plugin that prompts. Plugins wait for each other. */
export function terminalLock() {
	let returned: Promise<unknown> = Promise.resolve();
	let screen: Lend | undefined;
	let isLent = false;
	let words = '';

	const unlessHidden =
		(write: (text: string) => void): typeof write =>
		(text) => {
			if (screen && !isLent) words = (words + text).slice(-mostWords);
			else write(text);
		};

	const lend: Lend = (use) => {
		const borrow = async () => {
			isLent = true;
			return use().finally(() => {
				isLent = false;
			});
		};
		const turn = returned.then(() => (screen ? screen(borrow) : borrow()));
		// The next borrower waits only for the return; errors go to the caller.
		returned = turn.catch(() => undefined);
		return turn;
	};

	return {
		lend,
		/** The environment for cluster access, with this terminal to borrow. */
		around: (environment: Environment): Environment => ({
			...environment,
			lendTerminal: lend,
			writeError: unlessHidden(environment.writeError),
			showForeign: unlessHidden(environment.showForeign),
		}),
		/** Sets the screen that draws on the terminal; undefined once none does. */
		drawnBy(drawing: Lend | undefined) {
			screen = drawing;
		},
		/** Messages that were held back while a screen was shown; clears them. */
		takeWords(): string {
			const held = words;
			words = '';
			return held;
		},
		/** The same terminal; text waits while a plugin has borrowed it. */
		heldBack(
			terminal: Terminal,
			{stdout, stderr}: Record<'stdout' | 'stderr', {readonly isTTY: boolean}>,
		): Terminal {
			const waiting = (isShared: boolean, print: Terminal['print']): Terminal['print'] =>
				isShared ? (text) => returned.then(() => print(text)) : print;
			return {
				print: waiting(stdout.isTTY, terminal.print),
				printDocument: waiting(stdout.isTTY, terminal.printDocument),
				printError: waiting(stderr.isTTY, terminal.printError),
				replaceLine: waiting(stderr.isTTY, terminal.replaceLine),
				width: terminal.width,
			};
		},
	};
}
