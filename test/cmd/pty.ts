import {type IPty, spawn} from '@lydell/node-pty';
import xterm from '@xterm/headless';

/** The timeout for expected output on a busy machine, in milliseconds. */
const patience = 90_000;

/** A program on a real pseudo-terminal, with an emulated screen. */
export class PtyProgram {
	readonly #pty: IPty;
	readonly #screen: InstanceType<typeof xterm.Terminal>;
	readonly #waiting = new Set<() => void>();
	readonly exited: Promise<{readonly exitCode: number; readonly signal?: number | undefined}>;
	/** Everything that it has written. */
	written = '';
	/** The background, in the form of an answer to OSC 11; undefined if the terminal does not know it. */
	background: string | undefined;

	constructor(
		file: string,
		args: readonly string[],
		env: Readonly<Record<string, string>>,
		columns = 80,
		rows = 24,
	) {
		this.#screen = new xterm.Terminal({cols: columns, rows, allowProposedApi: true});
		this.#pty = spawn(file, [...args], {cols: columns, rows, env, name: env['TERM'] ?? 'xterm-256color'});
		this.#pty.onData((text) => {
			this.written += text;
			this.#screen.write(text, () => {
				for (const look of this.#waiting) look();
			});
		});
		// The emulator answers what programs ask of a terminal.
		this.#screen.onData((answer) => this.#pty.write(answer));
		this.#screen.parser.registerOscHandler(11, () => {
			if (this.background !== undefined) this.#pty.write(`\x1b]11;${this.background}\x1b\\`);
			return true;
		});
		this.exited = new Promise((resolve) => this.#pty.onExit(resolve));
	}

	get pid(): number {
		return this.#pty.pid;
	}

	type(keys: string): void {
		this.#pty.write(keys);
	}

	kill(signal: NodeJS.Signals): void {
		this.#pty.kill(signal);
	}

	/** Closes the terminal, as the end of a connection does. */
	hangUp(): void {
		if ('destroy' in this.#pty && typeof this.#pty.destroy === 'function') this.#pty.destroy();
	}

	resize(columns: number, rows: number): void {
		this.#screen.resize(columns, rows);
		this.#pty.resize(columns, rows);
	}

	/** The text on the screen. */
	text(): string {
		const {active} = this.#screen.buffer;
		return Array.from({length: this.#screen.rows}, (_, row) =>
			(active.getLine(active.viewportY + row)?.translateToString(true) ?? '').trimEnd(),
		).join('\n');
	}

	/**
	 * Waits until the screen matches. A frame that has come only in part is not looked at, as a terminal does not show it.
	 *
	 * @param timeout in milliseconds
	 * @returns the screen then
	 * @throws Error with the actual screen, after the timeout
	 */
	async shows(what: RegExp, timeout = patience): Promise<string> {
		const isShown = () => !this.#screen.modes.synchronizedOutputMode && what.test(this.text());
		return this.#until(isShown, what, timeout);
	}

	/** Waits until the output matches. */
	async writes(what: RegExp): Promise<string> {
		return this.#until(() => what.test(this.written), what);
	}

	#until(matches: () => boolean, what: RegExp, timeLimit = patience): Promise<string> {
		return new Promise((resolve, reject) => {
			const end = () => {
				this.#waiting.delete(look);
				clearTimeout(timeout);
			};
			const look = () => {
				if (!matches()) return;
				end();
				resolve(this.text());
			};
			const timeout = setTimeout(() => {
				end();
				reject(new Error(`${what} did not come; the screen shows:\n${this.text()}`));
			}, timeLimit);
			this.#waiting.add(look);
			look();
		});
	}
}
