import {type ChildProcess, execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {closeSync, mkdirSync, openSync, readFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';

/**
 * The servers of one run, with a log each. Their standard input is a pipe from this process: they end when it closes, so none
 * is left behind even if this process is killed.
 */
export class Processes {
	readonly #program: string;
	readonly #logs: string;
	readonly #children = new Map<string, ChildProcess>();
	/** Those that were killed on purpose. */
	readonly #killed = new Set<ChildProcess>();
	readonly #crash = Promise.withResolvers<never>();
	#stopping = false;

	constructor(program: string, logs: string) {
		this.#program = program;
		this.#logs = logs;
		mkdirSync(logs, {recursive: true});
		// Without a handler, a crash after the run's end would be an unhandled rejection.
		this.#crash.promise.catch(() => {});
	}

	/** Rejects when a server ends unexpectedly. */
	get crash(): Promise<never> {
		return this.#crash.promise;
	}

	/** Runs the program for a job that ends by itself. */
	run(...args: readonly string[]): void {
		execFileSync(this.#program, args, {stdio: ['ignore', 'ignore', 'inherit']});
	}

	/**
	 * Starts a server of the program, or another program. The latter does not end with this process: it must run in namespaces
	 * whose processes end together.
	 */
	start(name: string, flags: readonly string[], other?: string): void {
		const logFile = join(this.#logs, `${name}.log`);
		const log = openSync(logFile, 'a');
		// Its own process group protects it from the terminal's Ctrl-C: this process stops it.
		const [program, args] = other === undefined ? [this.#program, [name, ...flags]] : [other, flags];
		const child = spawn(program, args, {stdio: ['pipe', log, log], detached: true});
		closeSync(log);
		this.#children.set(name, child);
		child.once('error', (error) => this.#crash.reject(error));
		child.once('exit', (code, signal) => {
			if (this.#stopping || this.#killed.has(child)) return;
			const tail = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-5).join('\n');
			this.#crash.reject(new Error(`${name} ended (${signal ?? code}); the end of its log:\n${tail}`));
		});
	}

	/** Kills a server as a crash would; one of the same name can be started again. */
	async kill(name: string): Promise<void> {
		const child = this.#children.get(name);
		if (!child) throw new Error(`there is no ${name}`);
		this.#killed.add(child);
		const exit = once(child, 'exit');
		child.kill('SIGKILL');
		await exit;
		this.#children.delete(name);
	}

	signal(name: string, signal: 'SIGSTOP' | 'SIGCONT'): void {
		this.#children.get(name)?.kill(signal);
	}

	/** Stops all servers. Their state is discarded, so they need no time to shut down. */
	async stop(): Promise<void> {
		this.#stopping = true;
		const running = [...this.#children.values()].filter(
			({exitCode, signalCode}) => exitCode === null && signalCode === null,
		);
		await Promise.all(
			running.map((child) => {
				const exit = once(child, 'exit');
				child.kill('SIGKILL');
				return exit;
			}),
		);
	}
}

/** Different free ports of the loopback interface. */
export async function freePorts(count: number): Promise<number[]> {
	const servers = Array.from({length: count}, () => createServer().listen(0, '127.0.0.1'));
	await Promise.all(servers.map((server) => once(server, 'listening')));
	const ports = servers.map((server) => {
		const address = server.address();
		return typeof address === 'object' && address !== null ? address.port : 0;
	});
	await Promise.all(servers.map((server) => once(server.close(), 'close')));
	return ports;
}
