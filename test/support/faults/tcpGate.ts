import {once} from 'node:events';
import {type AddressInfo, connect, createServer, type Server, type Socket} from 'node:net';

type Address = {readonly host: string; readonly port: number};
type Pair = {readonly client: Socket; readonly server: Socket};

/**
 * A TCP proxy on loopback that does to connections what networks, VPNs and failing machines do. It passes bytes on without
 * reading them, so it works for any protocol over TCP.
 */
export class TcpGate {
	/** How many connections clients have made so far. */
	opened = 0;
	readonly #target: Address;
	readonly #pairs = new Set<Pair>();
	#server: Server | undefined;
	#port = 0;
	#isDropping = false;
	#isStalling = false;

	private constructor(target: Address) {
		this.#target = target;
	}

	static async start(target: Address): Promise<TcpGate> {
		const gate = new TcpGate(target);
		await gate.listen();
		return gate;
	}

	get port(): number {
		return this.#port;
	}

	/** How many connections of clients are open. */
	get open(): number {
		return this.#pairs.size;
	}

	/** Resets every connection, as a killed process does. New ones are accepted. */
	cut(): void {
		for (const {client, server} of this.#pairs) {
			client.resetAndDestroy();
			server.destroy();
		}
	}

	/** Stops all data on the existing connections without closing them: they are half open. */
	freeze(): void {
		for (const {client, server} of this.#pairs) freezePair(client, server);
	}

	/** Freezes the existing connections, and drops the data of new ones, until the returned function is called. */
	drop(): () => void {
		this.#isDropping = true;
		this.freeze();
		return () => {
			this.#isDropping = false;
		};
	}

	/** Holds back all data, also of new connections, until the returned function is called: nothing is lost. */
	stall(): () => void {
		this.#isStalling = true;
		for (const pair of this.#pairs) stallPair(pair);
		return () => {
			this.#isStalling = false;
			for (const {client, server} of this.#pairs) {
				client.pipe(server);
				server.pipe(client);
			}
		};
	}

	/** Refuses new connections and resets the others, until it listens again. */
	async refuse(): Promise<void> {
		const closed = this.#server && once(this.#server.close(), 'close');
		this.cut();
		await closed;
		this.#server = undefined;
	}

	/** Listens (again), always on the same port. */
	async listen(): Promise<void> {
		this.#server = createServer((client) => this.#join(client)).listen(this.#port, '127.0.0.1');
		await once(this.#server, 'listening');
		this.#port = (this.#server.address() as AddressInfo).port;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.refuse();
	}

	#join(client: Socket): void {
		this.opened += 1;
		const server = connect(this.#target.port, this.#target.host);
		const pair = {client, server};
		this.#pairs.add(pair);
		client.once('close', () => {
			this.#pairs.delete(pair);
			server.destroy();
		});
		server.once('close', () => {
			if (!isFrozen.has(client)) client.destroy();
		});
		// An error also closes the connection.
		for (const socket of [client, server]) socket.setNoDelay(true).on('error', () => {});
		if (this.#isStalling) {
			stallPair(pair);
			return;
		}
		client.pipe(server);
		server.pipe(client);
		if (this.#isDropping) freezePair(client, server);
	}
}

const isFrozen = new WeakSet<Socket>();

/** Both ends go on reading, as a network that loses packets; only a close by the client is noticed. */
function freezePair(client: Socket, server: Socket): void {
	isFrozen.add(client);
	client.unpipe(server).resume();
	server.unpipe(client).resume();
}

function stallPair({client, server}: Pair): void {
	client.unpipe(server).pause();
	server.unpipe(client).pause();
}
