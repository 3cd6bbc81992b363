import {setTimeout as sleep} from 'node:timers/promises';
import type {Timing} from '../../../src/async/timing.ts';
import type {ConnectionOptions} from '../../../src/cluster/access/connectionOptions.ts';
import {type Cluster, connect} from '../../../src/cluster/cluster.ts';
import type {Duration, Instant} from '../../../src/core/time/instant.ts';
import {Follower} from '../follower.ts';
import {bareEnvironment} from '../testEnvironment.ts';
import {lagging, stateOf, stateOfSnapshot} from './clusterState.ts';
import type {FaultServer} from './faultServer.ts';
import {HttpProxy} from './httpProxy.ts';
import {TcpGate} from './tcpGate.ts';

const everything = {pods: {type: 'all'}} as const;
/** How often a lagging state is checked again, in milliseconds. */
const pause = 10;

/** A server, what can be done to it and to the network, and a client that follows it: client, gate, proxy, server. */
export class Stage implements AsyncDisposable {
	readonly server: FaultServer;
	readonly proxy: HttpProxy;
	readonly gate: TcpGate;
	/** How far the client's clock is ahead. */
	clockError: Duration = 0;
	/** The duration of each wait of the client. */
	readonly waits: Duration[] = [];
	/** How many requests the client had made at the end of the fault. */
	requests = 0;
	/** When each change arrived, by the client's estimate of the server's clock. */
	readonly arrivals: Instant[] = [];
	readonly #stack: AsyncDisposableStack;
	readonly #timing: Timing;
	#cluster: Cluster | undefined;
	#follower: Follower | undefined;

	private constructor(parts: {
		server: FaultServer;
		proxy: HttpProxy;
		gate: TcpGate;
		timing: Timing;
		stack: AsyncDisposableStack;
	}) {
		this.server = parts.server;
		this.proxy = parts.proxy;
		this.gate = parts.gate;
		this.#stack = parts.stack;
		const {timing} = parts;
		this.#timing = {
			...timing,
			now: () => this.server.now() + this.clockError,
			sleep: (duration, signal) => {
				this.waits.push(duration);
				return timing.sleep(duration, signal);
			},
		};
	}

	static async build(server: FaultServer, timing: Timing, isTls: boolean): Promise<Stage> {
		const stack = new AsyncDisposableStack();
		const proxy = stack.use(await HttpProxy.start(server.upstream, {isTls}));
		const gate = stack.use(await TcpGate.start({host: '127.0.0.1', port: proxy.port}));
		return new Stage({server, proxy, gate, timing, stack});
	}

	async follow(options: ConnectionOptions = {}): Promise<void> {
		const cluster = await connect(
			{server: `http://127.0.0.1:${this.gate.port}`, ...options},
			bareEnvironment(),
			this.#timing,
		);
		this.#cluster = {...cluster, watch: this.#noting(cluster)};
		this.followAnew();
	}

	/** Follows the server again, with the same cluster. */
	followAnew(): void {
		this.#follower = new Follower(this.cluster, everything);
	}

	/** Records when each change arrived. */
	#noting(cluster: Cluster): Cluster['watch'] {
		return (selection, sink, signal) =>
			cluster.watch(
				selection,
				{
					push: (entry) => {
						if (entry.type === 'batch') this.arrivals.push(entry.at);
						sink.push(entry);
					},
				},
				signal,
			);
	}

	get cluster(): Cluster {
		if (!this.#cluster) throw new Error('nobody follows yet');
		return this.#cluster;
	}

	get follower(): Follower {
		if (!this.#follower) throw new Error('nobody follows yet');
		return this.#follower;
	}

	/** The error with which the first follower ended, if it was to end. */
	failure: unknown;

	/** Silences the server until the returned function is called: stops its process, or holds back all data. */
	async freeze(): Promise<() => Promise<void>> {
		if (this.server.freeze) return this.server.freeze();
		const release = this.gate.stall();
		return async () => release();
	}

	/** Ends a delay that was set up before the client connected. */
	release: () => void = () => {};

	/** Polls until a condition holds that no event announces. */
	async until(holds: () => boolean): Promise<void> {
		while (!holds()) await sleep(pause);
	}

	/** Waits until a problem is reported. */
	untilProblem(reason: string): Promise<void> {
		return this.follower.until(() => this.follower.problems.some((problem) => problem.reason === reason));
	}

	/** Waits until the follower's state equals a fresh list that bypasses the gate; returns the remaining differences. */
	async caughtUp(limit: Duration): Promise<readonly string[]> {
		this.requests = this.proxy.asked.length;
		const scheme = this.proxy.isTls ? 'https' : 'http';
		const options = {
			server: `${scheme}://127.0.0.1:${this.proxy.port}`,
			insecureSkipTlsVerify: this.proxy.isTls,
		};
		const fresh = await connect(options, bareEnvironment(), this.#timing);
		try {
			for (const deadline = Date.now() + limit; ; await sleep(pause)) {
				const listed = stateOfSnapshot(await fresh.snapshot(everything));
				const lags = lagging(stateOf(this.follower.calls.flat()), listed);
				if (lags.length === 0 || Date.now() > deadline) return lags;
			}
		} finally {
			await fresh.close();
		}
	}

	/** Closes the cluster; returns how many connections are still open after the limit. */
	async leave(limit: Duration): Promise<number> {
		await this.#follower?.[Symbol.asyncDispose]();
		await this.#cluster?.close();
		for (const deadline = Date.now() + limit; this.gate.open > 0 && Date.now() < deadline; )
			await sleep(pause);
		return this.gate.open;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.leave(0);
		await this.#stack.disposeAsync();
	}
}
