import type {ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {endingSignals, typedSignals} from '../../async/endingSignals.ts';
import {type Duration, second} from '../../core/time/instant.ts';

/** Time between SIGTERM and SIGKILL. */
const grace: Duration = second / 2;

/** A child process that never outlives this process. */
export class OwnedChild {
	readonly #child: ChildProcess;
	readonly #leadsGroup: boolean;
	readonly #kill = () => this.#send('SIGKILL');
	readonly #end = (signal: NodeJS.Signals) => {
		this.#kill();
		this.release();
		// If there is another listener, it ends this process.
		if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
	};

	/**
	 * @param start spawns the child
	 * @param leadsGroup whether the child leads its own process group, which is then killed with it
	 * @throws as `start`
	 */
	constructor(start: () => ChildProcess, leadsGroup: boolean) {
		this.#leadsGroup = leadsGroup;
		// Listeners come first: a signal during the start would end this process and leave the child.
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

	/** Removes the listeners; the child has ended. */
	release() {
		process.off('exit', this.#kill);
		for (const signal of this.#signals) process.off(signal, this.#end);
	}

	/** Terminates the child, and kills it if it does not exit in time. */
	async end(): Promise<void> {
		this.#send('SIGTERM');
		const signal = AbortSignal.timeout(grace);
		if (!this.#hasEnded) await once(this.#child, 'exit', {signal}).catch(() => undefined);
		// Kills its descendants too: the group keeps its number until all members are gone.
		this.#kill();
		this.release();
	}

	/** A child in our process group gets what is typed at the terminal itself. */
	get #signals(): readonly NodeJS.Signals[] {
		return this.#leadsGroup
			? endingSignals
			: endingSignals.filter((signal) => !typedSignals.includes(signal));
	}

	get #hasEnded() {
		return this.#child.exitCode !== null || this.#child.signalCode !== null;
	}

	#send(signal: NodeJS.Signals) {
		const {pid} = this.#child;
		if (pid === undefined) return;
		if (!this.#leadsGroup) {
			this.#child.kill(signal);
			return;
		}
		try {
			process.kill(-pid, signal);
		} catch {
			// The group is gone.
		}
	}
}
