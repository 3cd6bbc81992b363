import {PassThrough, Writable} from 'node:stream';
import xterm from '@xterm/headless';
import type {ReactNode} from 'react';
import {type RunningScreen, showScreen} from '../../../src/ui/app/runScreen.tsx';

export type TerminalSize = {readonly columns: number; readonly rows: number};

/** A terminal in memory whose screen tests can read. */
export class TestTerminal {
	readonly screen: InstanceType<typeof xterm.Terminal>;
	readonly stdout: NodeJS.WriteStream;
	readonly stdin: NodeJS.ReadStream;
	/** Everything that was written. */
	written = '';

	/** @param isMute whether it answers nothing by itself */
	constructor({columns, rows}: TerminalSize, isMute = false) {
		this.screen = new xterm.Terminal({cols: columns, rows, allowProposedApi: true, convertEol: true});
		const stdout = new Writable({
			write: (chunk, _encoding, done) => {
				this.written += String(chunk);
				this.screen.write(String(chunk), done);
			},
		});
		this.stdout = Object.assign(stdout, {columns, rows, isTTY: true}) as unknown as NodeJS.WriteStream;
		const stdin = new PassThrough();
		const modes = {isTTY: true, isRaw: false, setRawMode: () => stdin, ref: () => stdin, unref: () => stdin};
		this.stdin = Object.assign(stdin, modes) as unknown as NodeJS.ReadStream;
		// The emulator answers what programs ask of a terminal.
		if (!isMute) this.screen.onData((answer) => stdin.push(answer));
	}

	/** Resizes it, as a user who drags its corner. */
	resize({columns, rows}: TerminalSize): void {
		this.screen.resize(columns, rows);
		Object.assign(this.stdout, {columns, rows});
		this.stdout.emit('resize');
	}

	/** The lines on the screen, without the spaces at their ends. */
	lines(): readonly string[] {
		const {cols, rows} = this.screen;
		const {active} = this.screen.buffer;
		// A line keeps its content from when the screen was wider.
		return Array.from({length: rows}, (_, row) =>
			(active.getLine(active.viewportY + row)?.translateToString(true, 0, cols) ?? '').trimEnd(),
		);
	}

	text(): string {
		return this.lines().join('\n').trimEnd();
	}

	async flush(): Promise<void> {
		await new Promise<void>((resolve) => this.screen.write('', resolve));
	}
}

/** A screen that is shown on a terminal in memory. */
export class ShownScreen {
	readonly terminal: TestTerminal;
	readonly running: RunningScreen;

	constructor(screen: ReactNode, size: TerminalSize, isScreenReader = false) {
		this.terminal = new TestTerminal(size);
		const {stdin, stdout} = this.terminal;
		this.running = showScreen(screen, {stdin, stdout, isAlternate: true, isScreenReader});
	}

	/** The text on the screen once everything is drawn. */
	async text(): Promise<string> {
		await this.settle();
		return this.terminal.text();
	}

	/** Types keys, and waits until their effects are drawn. */
	async type(...keys: readonly string[]): Promise<void> {
		for (const key of keys) {
			this.terminal.stdin.push(key);
			await new Promise((resolve) => setImmediate(resolve));
			await this.settle();
		}
	}

	async settle(): Promise<void> {
		await this.running.flushed();
		await this.terminal.flush();
	}

	async end(): Promise<void> {
		this.running.end();
		await this.running.ended;
		await this.terminal.flush();
	}
}
