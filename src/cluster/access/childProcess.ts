import type {ChildProcess} from 'node:child_process';
import {type Duration, second} from '../../core/time/instant.ts';

/** What may be asked of a process to end; what then still runs is ended without being asked. */
const grace: Duration = second / 2;

/** Signals that end this process; a child that runs then would outlive it. */
const ending = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A child that must not outlive this process, however that ends. */
export class OwnedChild {
	readonly #child: ChildProcess;
	readonly #leadsGroup: boolean;
	readonly #kill = () => this.#send('SIGKILL');
	readonly #end = (signal: NodeJS.Signals) => {
		this.#kill();
		this.release();
		// Whoever else listens ends this process in its own way.
		if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
	};

	/**
	 * @param start starts it
	 * @param leadsGroup whether it is started as the leader of a group of its own, which then ends with it
	 * @throws as start
	 */
	constructor(start: () => ChildProcess, leadsGroup: boolean) {
		this.#leadsGroup = leadsGroup;
		// Signals are listened to first: one that comes while the child starts would end this process and leave the child.
		process.on('exit', this.#kill);
		for (const signal of this.#signals) process.on(signal, this.#end);
		try {
			this.#child = start();
		} catch (error) {
			this.release();
			throw error;
		}
	}

	get process(): ChildProcess {
		return this.#child;
	}

	/** Lets go of it: it has ended. */
	release(): void {
		process.off('exit', this.#kill);
		for (const signal of this.#signals) process.off(signal, this.#end);
	}

	/** Asks it to end, and ends it where it does not. */
	async end(): Promise<void> {
		this.#send('SIGTERM');
		const {promise, resolve} = Promise.withResolvers<void>();
		const timer = setTimeout(resolve, grace);
		this.#child.once('exit', () => resolve());
		if (this.#hasEnded) resolve();
		await promise;
		clearTimeout(timer);
		// Also those that it has started: its group has the same number until all of them are gone.
		this.#kill();
		this.release();
	}

	/** One that shares our group gets the Ctrl-C of the terminal itself. */
	get #signals(): readonly NodeJS.Signals[] {
		return this.#leadsGroup ? ending : ending.filter((signal) => signal !== 'SIGINT');
	}

	get #hasEnded(): boolean {
		return this.#child.exitCode !== null || this.#child.signalCode !== null;
	}

	#send(signal: NodeJS.Signals): void {
		const {pid} = this.#child;
		if (pid === undefined) return;
		if (!this.#leadsGroup) {
			this.#child.kill(signal);
			return;
		}
		try {
			process.kill(-pid, signal);
		} catch {
			// Nobody of it is left.
		}
	}
}
