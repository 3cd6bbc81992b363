import type {ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {type Plugin, startPlugin} from '../plugin.ts';
import {type Divergence, Documents} from './divergence.ts';

/** A reported divergence, with the number of the process that reported it. */
type Report = {readonly at: number; readonly life: number; readonly divergence: Divergence};

/** The built shadow, which is killed and restarted; the reports of all its processes are kept. */
export class ShadowProcess {
	readonly name: string;
	readonly reports: Report[] = [];
	readonly errors: string[] = [];
	/** When each of its processes had read the cluster. */
	readonly readyAt: number[] = [];
	readonly #plugin: Plugin;
	readonly #flags: readonly string[];
	readonly #onReport: (report: Report) => void;
	#child: ChildProcess | undefined;
	#life = 0;
	/** Measured memory, in kilobytes. */
	readonly memory: number[] = [];

	constructor(name: string, plugin: Plugin, flags: readonly string[], onReport: (report: Report) => void) {
		this.name = name;
		this.#plugin = plugin;
		this.#flags = flags;
		this.#onReport = onReport;
	}

	get lives(): number {
		return this.#life;
	}

	/** Starts it, and waits until it has read the cluster. @throws Error if it ends before */
	async start(): Promise<void> {
		this.#life += 1;
		const [life, documents] = [this.#life, new Documents()];
		const child = startPlugin(this.#plugin, ['shadow', '-o', 'json', ...this.#flags]);
		this.#child = child;
		child.on('error', (error) => this.errors.push(String(error)));
		child.stdout?.setEncoding('utf8').on('data', (text: string) => {
			for (const divergence of documents.add(text)) {
				const report = {at: Date.now(), life, divergence};
				this.reports.push(report);
				this.#onReport(report);
			}
		});
		const ready = Promise.withResolvers<void>();
		child.stderr?.setEncoding('utf8').on('data', (text: string) => {
			this.errors.push(text.trim());
			if (text.includes('Following ')) ready.resolve();
		});
		child.once('exit', (code, signal) =>
			ready.reject(new Error(`the shadow ended (${signal ?? code}): ${this.errors.at(-1)}`)),
		);
		await ready.promise;
		this.readyAt.push(Date.now());
	}

	/** Kills it at any time, as a crash would. */
	async kill(): Promise<void> {
		const child = this.#child;
		if (!child || child.exitCode !== null || child.signalCode !== null) return;
		const exit = once(child, 'exit');
		child.kill('SIGKILL');
		await exit;
		this.#child = undefined;
	}

	/** Asks it to end; returns its exit code. */
	async end(): Promise<number | null> {
		const child = this.#child;
		if (!child || child.exitCode !== null || child.signalCode !== null) return null;
		const exit = once(child, 'exit');
		child.kill('SIGTERM');
		const [code] = (await exit) as [number | null];
		this.#child = undefined;
		return code;
	}

	/** Records its current memory. */
	measure(): void {
		const status =
			this.#child?.pid === undefined ? '' : readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
		const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(status) ?? [];
		if (kilobytes !== undefined) this.memory.push(Number(kilobytes));
	}
}
