import type {Environment} from '../../src/cluster/access/environment.ts';
import type {Terminal} from './terminal.ts';

type Lend = Environment['lendTerminal'];

/** So much of what is said while a screen is shown is kept: the last words count. */
const mostWords = 4096;

/**
 * Who has the terminal: whoever prints or draws, or a credential plugin that asks the user something. One plugin at a
 * time; the others wait for it.
 */
export class TerminalLock {
	#returned: Promise<unknown> = Promise.resolve();
	/** Gives the terminal away where a screen is drawn on it. */
	#screen: Lend | undefined;
	#words = '';

	/** What cluster access finds around it, with this terminal to borrow. */
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

	/** Lends the terminal for as long as this takes. */
	lend: Lend = (use) => {
		const borrow = async () => {
			this.#isLent = true;
			return use().finally(() => {
				this.#isLent = false;
			});
		};
		const turn = this.#returned.then(() => (this.#screen ? this.#screen(borrow) : borrow()));
		// Whoever waits for the terminal waits for its return, not for what became of it.
		this.#returned = turn.catch(() => undefined);
		return turn;
	};

	/** Says who draws on the terminal from now on; undefined once nobody does. */
	drawnBy(screen: Lend | undefined): void {
		this.#screen = screen;
	}

	/** What was said to the user while a screen hid it, once: for after its end. */
	takeWords(): string {
		const words = this.#words;
		this.#words = '';
		return words;
	}

	/** The same terminal, but where it is one that plugins borrow, words for it wait until it is returned. */
	heldBack(terminal: Terminal, {stdout, stderr}: Pick<NodeJS.Process, 'stdout' | 'stderr'>): Terminal {
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
