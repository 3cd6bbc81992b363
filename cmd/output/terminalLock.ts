import type {Environment} from '../../src/cluster/access/environment.ts';
import type {Terminal} from './terminal.ts';

type Lend = Environment['lendTerminal'];

/** The last characters kept of messages while a screen is shown. */
const mostWords = 4096;

/** Decides who has the terminal: the program, or a credential plugin that prompts. Plugins wait for each other. */
export class TerminalLock {
	#returned: Promise<unknown> = Promise.resolve();
	#screen: Lend | undefined;
	#words = '';

	/** The environment for cluster access, with this terminal to borrow. */
	around(environment: Environment): Environment {
		return {
			...environment,
			lendTerminal: (use) => this.lend(use),
			writeError: this.#unlessHidden(environment.writeError),
			showForeign: this.#unlessHidden(environment.showForeign),
		};
	}

	#unlessHidden(write: (text: string) => void): (text: string) => void {
		return (text) => {
			if (this.#screen && !this.#isLent) this.#words = (this.#words + text).slice(-mostWords);
			else write(text);
		};
	}

	#isLent = false;

	lend: Lend = (use) => {
		const borrow = async () => {
			this.#isLent = true;
			return use().finally(() => {
				this.#isLent = false;
			});
		};
		const turn = this.#returned.then(() => (this.#screen ? this.#screen(borrow) : borrow()));
		// The next borrower waits only for the return; errors go to the caller.
		this.#returned = turn.catch(() => undefined);
		return turn;
	};

	/** Sets the screen that draws on the terminal; undefined once none does. */
	drawnBy(screen: Lend | undefined): void {
		this.#screen = screen;
	}

	/** Messages that were held back while a screen was shown; clears them. */
	takeWords(): string {
		const words = this.#words;
		this.#words = '';
		return words;
	}

	/** The same terminal; text waits while a plugin has borrowed it. */
	heldBack(
		terminal: Terminal,
		{stdout, stderr}: Record<'stdout' | 'stderr', {readonly isTTY: boolean}>,
	): Terminal {
		const waiting = (isShared: boolean, print: Terminal['print']): Terminal['print'] =>
			isShared ? (text) => this.#returned.then(() => print(text)) : print;
		return {
			print: waiting(stdout.isTTY, terminal.print),
			printDocument: waiting(stdout.isTTY, terminal.printDocument),
			printError: waiting(stderr.isTTY, terminal.printError),
			replaceLine: waiting(stderr.isTTY, terminal.replaceLine),
			width: terminal.width,
		};
	}
}
