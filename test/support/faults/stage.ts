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
/** How often a state that lags is looked at again. */
const pause = 10;

/** A server, what can be done to it and to the way there, and a client that follows it: client, gate, proxy, server. */
export class Stage implements AsyncDisposable {
	readonly server: FaultServer;
	readonly proxy: HttpProxy;
	readonly gate: TcpGate;
	/** How far the client's clock is ahead. */
	clockError: Duration = 0;
	/** For how long the client chose to wait, each time. */
	readonly waits: Duration[] = [];
	/** How many requests the client had made when the trouble was over. */
	requests = 0;
	/** When each change came, by the clock that the client takes for the server's. */
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

	/** Begins to follow the server. */
	async follow(options: ConnectionOptions = {}): Promise<void> {
		const cluster = await connect(
			{server: `http://127.0.0.1:${this.gate.port}`, ...options},
			bareEnvironment(),
			this.#timing,
		);
		this.#cluster = {...cluster, watch: this.#noting(cluster)};
		this.followAnew();
	}

	/** Follows the server anew, with what is known of it. */
	followAnew(): void {
		this.#follower = new Follower(this.cluster, everything);
	}

	/** Notes when each change came. */
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

	/** What the first follower ended with, where it was to end. */
	failure: unknown;

	/** Lets the server answer nothing, as a process that is stopped, or a way that holds everything back; until it goes on. */
	async freeze(): Promise<() => Promise<void>> {
		if (this.server.freeze) return this.server.freeze();
		const release = this.gate.stall();
		return async () => release();
	}

	/** Ends a hold that was set up before anybody connected. */
	release: () => void = () => {};

	/** Waits until something is so that nobody tells of. */
	async until(holds: () => boolean): Promise<void> {
		while (!holds()) await sleep(pause);
	}

	/** Waits until a problem is told. */
	untilProblem(reason: string): Promise<void> {
		return this.follower.until(() => this.follower.problems.some((problem) => problem.reason === reason));
	}

	/** Waits until the follower knows what a fresh list, past the gate, tells; answers where it lags, if it still does. */
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

	/** Lets go of the cluster; answers how many connections are left when all should be closed. */
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
