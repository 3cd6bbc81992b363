import {once} from 'node:events';
import type {ServerResponse} from 'node:http';
import {type AddressInfo, connect as connectTo, createServer, type Socket} from 'node:net';
import {setImmediate as turn} from 'node:timers/promises';
import {afterEach, beforeEach, expect, test} from 'vitest';
import type {Timing} from '../../../src/async/timing.ts';
import {connect} from '../../../src/cluster/cluster.ts';
import {type Duration, type Instant, minute, second} from '../../../src/core/time/instant.ts';
import {answerJson, answerStatus, FakeApiServer, type RawObject} from '../../support/fakeApiServer.ts';
import {Follower} from '../../support/follower.ts';
import {rawLease, rawNode, rawPod} from '../../support/rawObjects.ts';
import {bareEnvironment, instantTiming} from '../../support/testEnvironment.ts';

const patient = {
	answerTimeout: 600 * minute,
	silenceTimeout: 600 * minute,
	livelySilenceTimeout: 600 * minute,
};
const leader = 'kube-system/kube-controller-manager';
const kubelet = 'kube-node-lease/n1';
const start = Date.UTC(2026, 0, 31, 14);

type Write = {
	readonly at: Instant;
	readonly key: string;
	readonly version: number;
	readonly type: 'MODIFIED' | 'DELETED';
	readonly object: RawObject;
};
type Watch = {
	readonly path: string;
	readonly response: ServerResponse;
	next: number;
	/** What waits to be let through, one by one. */
	readonly queue: string[];
	letAt: Instant;
};

/** A connection over loopback whose other end sends everything back: what others sent before has arrived once it answers. */
class Echo {
	readonly #server = createServer((socket) => socket.pipe(socket));
	#socket: Socket | undefined;

	async start(): Promise<this> {
		await once(this.#server.listen(0, '127.0.0.1'), 'listening');
		this.#socket = connectTo((this.#server.address() as AddressInfo).port, '127.0.0.1');
		await once(this.#socket, 'connect');
		return this;
	}

	async roundTrip(): Promise<void> {
		this.#socket?.write('.');
		await once(this.#socket ?? this.#server, 'data');
		await turn();
	}

	[Symbol.dispose](): void {
		this.#socket?.destroy();
		this.#server.close();
	}
}

/**
 * Leases as two API servers show them, in virtual time: one lists, one watches, and each may lag. Everything else comes from a
 * fake API server.
 */
class LeaseWorld {
	now: Instant = start;
	listsLag: Duration = 0;
	watchesLag: Duration = 0;
	/** What watches send in place of each event. */
	deliver: (line: string, path: string) => string = (line) => line;
	/** How long each watch waits after each event; zero if it does not. */
	pace: Duration = 0;
	/** Called with each second. */
	passed: () => void = () => undefined;
	lists = 0;
	/** Whether every request is refused. */
	forbids = false;
	readonly server: FakeApiServer;
	readonly #echo: Echo;
	/** Requests that are not answered yet. */
	#open = 0;
	#version = 1000;
	#writes: Write[] = [];
	readonly #watches = new Set<Watch>();
	#sleepers: {readonly until: Instant; readonly resolve: () => void}[] = [];
	#waiting: (() => void) | undefined;
	#until: Instant = start;

	constructor(server: FakeApiServer, echo: Echo) {
		this.server = server;
		this.#echo = echo;
		server.clock = () => this.now;
		server.intercept(({url, resource}, response) => {
			const isWatch = url.searchParams.has('watch');
			if (!isWatch) {
				this.#open += 1;
				response.on('close', () => (this.#open -= 1));
			}
			if (this.forbids) answerStatus(response, 403, 'not for you');
			if (this.forbids || resource !== 'leases') return this.forbids;
			if (isWatch) this.#watch(url, response);
			else this.#list(url.pathname, response);
			return true;
		});
		this.renew(leader);
		this.renew(kubelet);
	}

	readonly timing: Partial<Timing> = {
		...patient,
		now: () => this.now,
		elapsed: () => this.now - start,
		lookPeriod: second,
		sleep: (duration, signal) =>
			new Promise((resolve) => {
				if (signal.aborted) resolve();
				this.#sleepers.push({until: this.now + duration, resolve});
				signal.addEventListener('abort', () => resolve());
			}),
		nextLook: async (signal) => {
			// What was sent before has been read by then.
			do for (let turns = 0; turns < 6; turns += 1) await this.#echo.roundTrip();
			while (this.#open > 0 && !signal.aborted);
			if (this.now >= this.#until) {
				this.#waiting?.();
				await new Promise<void>((resolve) => {
					this.#wake = resolve;
					signal.addEventListener('abort', () => resolve());
				});
			}
			if (signal.aborted) return;
			this.now += second;
			this.passed();
			this.#send();
			for (const {until, resolve} of this.#sleepers) if (until <= this.now) resolve();
			this.#sleepers = this.#sleepers.filter(({until}) => until > this.now);
		},
	};
	#wake: () => void = () => undefined;

	/** Lets time pass, second by second. */
	async pass(length: Duration): Promise<void> {
		this.#until = this.now + length;
		const passed = new Promise<void>((resolve) => (this.#waiting = resolve));
		this.#wake();
		await passed;
	}

	renew(key: string): void {
		this.#write(key, 'MODIFIED');
	}

	remove(key: string): void {
		this.#write(key, 'DELETED');
	}

	#write(key: string, type: Write['type']): void {
		const [namespace = '', name = ''] = key.split('/');
		const lease = rawLease(namespace, name, new Date(this.now).toISOString().replace('Z', '000Z'));
		this.#version += 1;
		const metadata = {...lease.metadata, resourceVersion: String(this.#version)};
		this.#writes.push({at: this.now, key, version: this.#version, type, object: {...lease, metadata}});
	}

	/** Restores an old state: all later versions are given again. */
	restore(version: number): void {
		this.#writes = this.#writes.filter((write) => write.version <= version);
		this.#version = version;
		this.endWatches();
	}

	endWatches(): void {
		for (const watch of this.#watches) watch.response.end();
		this.#watches.clear();
	}

	bookmark(): void {
		const metadata = {resourceVersion: String(this.#version)};
		for (const {response} of this.#watches)
			response.write(`${JSON.stringify({type: 'BOOKMARK', object: {metadata}})}\n`);
	}

	#shownAt(at: Instant, path: string): readonly Write[] {
		return this.#writes.filter((write) => write.at <= at && path.includes(write.key.split('/')[0] ?? ''));
	}

	#list(path: string, response: ServerResponse): void {
		this.lists += 1;
		const writes = this.#writes.filter(({at}) => at <= this.now - this.listsLag);
		const newest = new Map(this.#shownAt(this.now - this.listsLag, path).map((write) => [write.key, write]));
		const existing = [...newest.values()].filter(({type}) => type !== 'DELETED');
		const resourceVersion = String(writes.at(-1)?.version ?? this.#version);
		answerJson(response, {
			kind: 'LeaseList',
			apiVersion: 'coordination.k8s.io/v1',
			metadata: {resourceVersion},
			items: existing.map(({object}) => object),
		});
	}

	#watch(url: URL, response: ServerResponse): void {
		response.writeHead(200, {'content-type': 'application/json'}).flushHeaders();
		const next = Number(url.searchParams.get('resourceVersion')) + 1;
		const watch: Watch = {path: url.pathname, response, next, queue: [], letAt: this.now};
		this.#watches.add(watch);
		response.on('close', () => this.#watches.delete(watch));
		this.#send();
	}

	#send(): void {
		for (const watch of this.#watches) {
			for (const {version, type, object} of this.#shownAt(this.now - this.watchesLag, watch.path)) {
				if (version < watch.next) continue;
				watch.next = version + 1;
				const line = this.deliver(`${JSON.stringify({type, object})}\n`, watch.path);
				if (line === '') continue;
				if (this.pace > 0) watch.queue.push(line);
				else watch.response.write(line);
			}
			if (this.now - watch.letAt < this.pace) continue;
			watch.letAt = this.now;
			const line = watch.queue.shift();
			if (line !== undefined) watch.response.write(line);
		}
	}
}

let stack: AsyncDisposableStack;
let world: LeaseWorld;
beforeEach(async () => {
	stack = new AsyncDisposableStack();
	const server = stack.use(await FakeApiServer.start());
	server.apply('nodes', rawNode('n1'));
	world = new LeaseWorld(server, stack.use(await new Echo().start()));
});
afterEach(() => stack.disposeAsync());

async function follow(): Promise<Follower> {
	const timing = instantTiming(world.timing);
	// Threads that inflate answers know nothing of virtual time.
	const options = {server: world.server.url, disableCompression: true};
	const cluster = await connect(options, bareEnvironment(), timing);
	stack.defer(() => cluster.close());
	const follower = stack.use(new Follower(cluster, {pods: {type: 'all'}, kubernetesVersion: 'v1.36.3'}));
	await follower.until(() => follower.calls.length > 0);
	return follower;
}

/** The leader renews every two seconds, the kubelet every ten. */
const alive = () => {
	if ((world.now / second) % 2 === 0) world.renew(leader);
	if ((world.now / second) % 10 === 0) world.renew(kubelet);
};

/** Without those of metadata alone, which are compared with a watch. */
const nodeLists = () =>
	world.server.asked.filter(
		({resource, url, headers}) =>
			resource === 'nodes' &&
			!url.searchParams.has('watch') &&
			!headers.accept?.includes('PartialObjectMetadata'),
	).length;

test.for([
	{name: 'nothing at all', deliver: () => '', each: () => undefined},
	{name: 'bookmarks alone', deliver: () => '', each: () => world.bookmark()},
	{name: 'half lines', deliver: (line: string) => line.slice(0, 40), each: () => undefined},
	{
		name: 'the leader but no kubelet',
		deliver: (line: string, path: string) => (path.includes('kube-node-lease') ? '' : line),
		each: () => undefined,
	},
])(
	'a watch that is open and delivers $name, while lists show changes, is interrupted',
	async ({deliver, each}) => {
		world.deliver = deliver;
		world.passed = () => {
			alive();
			each();
		};
		const follower = await follow();
		const before = nodeLists();
		await world.pass(25 * second);
		expect(follower.lostSince).toBeLessThanOrEqual(start + 10 * second);
		expect(follower.problems.map(({reason, message}) => [reason, message])).toContainEqual([
			'WatchInterrupted',
			expect.stringMatching(
				/^watches have been interrupted since 14:00:\d\dZ: .* do not deliver the changes/,
			),
		]);
		expect(nodeLists()).toBeGreaterThan(before);
		expect(follower.provenances.get('nodeApplied n1')?.type).toBe('historyLost');
		const since = follower.lostSince;
		await world.pass(10 * minute);
		expect(follower.lostSince).toBe(since);
		// Ever less often.
		expect(nodeLists()).toBeLessThan(12);
		const listed = nodeLists();
		world.deliver = (line) => line;
		world.passed = alive;
		await world.pass(22 * second);
		expect(follower.lostSince).toBeUndefined();
		await world.pass(5 * minute);
		// What was left out may be lost; one of the lists made ever less often may still be due.
		expect(nodeLists() - listed).toBeGreaterThanOrEqual(1);
		expect(nodeLists() - listed).toBeLessThanOrEqual(2);
		expect(follower.problems.map(({reason}) => reason)).not.toContain('WatchInterrupted');
	},
);

test.for(['nodes', 'pods'] as const)(
	'a watch of %s that delivers nothing is interrupted, though leases are renewed',
	async (mute) => {
		world.passed = alive;
		world.server.apply('pods', rawPod('shop', 'p1', 'n1'));
		world.server.intercept(({resource, url}, response) => {
			const isMute = resource === mute && url.searchParams.has('watch');
			if (isMute) response.writeHead(200, {'content-type': 'application/json'}).flushHeaders();
			return isMute;
		});
		const follower = await follow();
		world.passed = () => {
			alive();
			if ((world.now / second) % 3 > 0) return;
			if (mute === 'nodes') world.server.apply('nodes', rawNode('n1'));
			else world.server.apply('pods', rawPod('shop', 'p1', 'n1'));
		};
		// Some 20 s, and more where the processor lags behind virtual time.
		for (let waited = 0; follower.lostSince === undefined && waited < minute; waited += second)
			await world.pass(second);
		expect(follower.lostSince).toBeLessThanOrEqual(start + 10 * second);
		await world.pass(10 * second);
		const changed = mute === 'nodes' ? 'nodeApplied n1' : 'podApplied shop/p1';
		expect(follower.provenances.get(changed)?.type).toBe('historyLost');
	},
);

/** The lease of a second node. */
const other = 'kube-node-lease/n2';

/** The leader renews, and a busy kubelet every second. */
const busy = () => {
	alive();
	world.renew(kubelet);
};

/** Another kubelet renews, too, every ten seconds. */
function secondNode(): void {
	world.renew(other);
	world.passed = () => {
		busy();
		if ((world.now / second) % 10 === 5) world.renew(other);
	};
}

test('a watch that leaves out one lease is interrupted, until it delivers it or that node is dead, and when it is back', async () => {
	secondNode();
	const follower = await follow();
	await world.pass(2 * minute);
	expect(follower.lostSince).toBeUndefined();
	const lists = world.lists;
	world.deliver = (line) => (line.includes('"n2"') ? '' : line);
	await world.pass(35 * second);
	expect(follower.lostSince).toBeLessThanOrEqual(world.now - 15 * second);
	await world.pass(3 * minute);
	expect(follower.problems.map(({reason}) => reason)).toContain('WatchInterrupted');
	world.deliver = (line) => line;
	await world.pass(30 * second);
	expect(follower.lostSince).toBeUndefined();
	expect(world.lists).toBeGreaterThan(lists);
	// It dies: a list every five minutes shows that nothing is left out. One of those made ever less often may still be due.
	world.passed = busy;
	await world.pass(6 * minute);
	const dead = world.lists;
	await world.pass(20 * minute);
	expect(follower.lostSince).toBeUndefined();
	expect(world.lists).toBeGreaterThanOrEqual(dead + 3);
	expect(world.lists).toBeLessThanOrEqual(dead + 4);
	// It comes back, and the watch leaves that out.
	const returnedAt = world.now;
	world.deliver = (line) => (line.includes('"n2"') ? '' : line);
	world.passed = () => {
		busy();
		if ((world.now / second) % 10 === 5) world.renew(other);
	};
	await world.pass(5 * minute + 10 * second);
	expect(follower.lostSince).toBeGreaterThan(returnedAt - 5 * minute);
});

test.for([8, 10, 12, 14, 20, 26, 28, 30, 34])(
	'a lease that a watch leaves out, and that is removed %i s later, interrupts it for no longer than a list takes',
	async (seconds) => {
		secondNode();
		const follower = await follow();
		await world.pass(minute);
		world.deliver = (line) => (line.includes('"n2"') ? '' : line);
		await world.pass(seconds * second);
		world.remove(other);
		world.passed = busy;
		await world.pass(5 * minute);
		expect(follower.lostSince).toBeUndefined();
		expect(follower.received).toContain('leaseDeleted kube-node-lease/n2');
	},
);

test.for([
	{seconds: 3, count: 6},
	{seconds: 4, count: 6},
	{seconds: 1, count: 30},
	{seconds: 2, count: 30},
])(
	'a watch that lets one change through every $seconds s is interrupted while what it delivers of $count nodes is too old',
	{timeout: 60_000},
	async ({seconds, count}) => {
		const keys = Array.from({length: count}, (_, index) => `kube-node-lease/n${index}`);
		world.passed = () => {
			if ((world.now / second) % 2 === 0) world.renew(leader);
			for (const [index, key] of keys.entries())
				if ((world.now / second) % 10 === index % 10) world.renew(key);
		};
		for (const key of keys) world.renew(key);
		const follower = await follow();
		const renewedAt = new Map(keys.map((key) => [key, start]));
		let [read, seen] = [0, 0];
		const failures: string[] = [];
		for (let passed = 0; passed < 300; passed += 1) {
			if (passed === 12) world.pace = seconds * second;
			await world.pass(second);
			for (const observation of follower.calls.slice(read).flat())
				if (observation.type === 'leaseApplied') {
					const {namespace, name, renewTime = 0} = observation.lease;
					renewedAt.set(`${namespace}/${name}`, renewTime);
				}
			read = follower.calls.length;
			if (follower.lostSince !== undefined) continue;
			seen += 1;
			for (const key of keys) {
				const age = (world.now - (renewedAt.get(key) ?? 0)) / second;
				if (age >= 20) failures.push(`${passed}: ${key} was renewed ${age} s ago`);
			}
		}
		expect(failures).toEqual([]);
		expect(seen).toBeLessThan(150);
		world.pace = 0;
		world.endWatches();
		await world.pass(30 * second);
		expect(follower.lostSince).toBeUndefined();
	},
);

test('it is interrupted within the time in which nobody is called silent for it', async () => {
	world.deliver = () => '';
	world.passed = alive;
	const follower = await follow();
	await world.pass(9 * second);
	expect(follower.lostSince).toBeLessThanOrEqual(start + 2 * second);
});

test('versions that went back, as etcd was restored, make everything be listed anew, and then all is seen', async () => {
	world.passed = alive;
	const follower = await follow();
	await world.pass(60 * second);
	expect(follower.lostSince).toBeUndefined();
	const before = nodeLists();
	world.restore(1003);
	await world.pass(9 * second);
	expect(follower.lostSince).toBeDefined();
	await world.pass(12 * second);
	expect(follower.lostSince).toBeUndefined();
	const {length} = follower.calls;
	await world.pass(minute);
	expect(follower.calls.slice(length).flat().length).toBeGreaterThan(30);
	expect(nodeLists()).toBeLessThanOrEqual(before + 3);
});

test.for([
	{name: 'watches', lags: {watchesLag: 3 * second}},
	{name: 'lists', lags: {listsLag: 3 * second}},
])(
	'an API server for $name that lags by three seconds causes neither gap nor list, for an hour',
	async ({lags}) => {
		// Pauses of one to seven seconds: each watch is often quiet.
		let seed = 7;
		const random = () => {
			seed = (seed * 1103515245 + 12345) % 2 ** 31;
			return seed / 2 ** 31;
		};
		const nextAt = new Map([leader, kubelet].map((key) => [key, start + second]));
		world.passed = () => {
			for (const [key, at] of nextAt) {
				if (world.now < at) continue;
				world.renew(key);
				nextAt.set(key, world.now + Math.ceil(random() * 7) * second);
			}
		};
		for (let times = 0; times < 6; times += 1) world.passed();
		const follower = await follow();
		Object.assign(world, lags);
		const [before, compared] = [nodeLists(), world.lists];
		let losses = 0;
		for (let minutes = 0; minutes < 60; minutes += 1) {
			await world.pass(minute);
			if (follower.lostSince !== undefined) losses += 1;
		}
		expect(losses).toBe(0);
		expect(follower.calls.length).toBeGreaterThan(1000);
		expect(nodeLists()).toBe(before);
		expect(
			[...follower.provenances.values()].filter((provenance) => provenance?.type === 'historyLost'),
		).toEqual([]);
		expect(follower.problems).toEqual([]);
		// It did compare.
		expect(world.lists - compared).toBeGreaterThan(100);
	},
);

test('where nothing renews any more, lists confirm it', async () => {
	const follower = await follow();
	await world.pass(10 * minute);
	expect(follower.lostSince).toBeUndefined();
	expect(follower.confirmed).toBeGreaterThan(60);
	expect(follower.problems).toEqual([]);
});

/** The most requests for one path from now on, in ten minutes of a server that forbids everything. */
async function mostAsked(): Promise<number> {
	const {length} = world.server.asked;
	await world.pass(10 * minute);
	const asked = world.server.asked.slice(length).map(({url}) => `${url.pathname}${url.search}`);
	expect(asked.length).toBeGreaterThan(50);
	const byPath = [...Map.groupBy(asked, (path) => path).values()];
	return Math.max(...byPath.map(({length: times}) => times));
}

test('a server that forbids everything is asked for each collection once a minute, and what is granted is seen', async () => {
	world.forbids = true;
	const follower = await follow();
	// Eleven minutes begin in that time; ResourceSlices are counted once more before they are followed.
	expect(await mostAsked()).toBeLessThanOrEqual(12);
	expect(follower.problems.map(({reason}) => reason)).toContain('NodesForbidden');
	world.forbids = false;
	world.passed = alive;
	await world.pass(minute + 10 * second);
	expect(follower.received).toContain('nodeApplied n1');
	expect(follower.problems).toEqual([]);
});

test('rights that are withdrawn are soon asked for once a minute: a server that starts knows none for a moment', async () => {
	world.passed = alive;
	const follower = await follow();
	await world.pass(20 * second);
	world.forbids = true;
	world.endWatches();
	world.server.endWatches();
	const {length} = world.server.asked;
	await world.pass(15 * second);
	expect(world.server.asked.length - length).toBeGreaterThan(10);
	await world.pass(minute);
	expect(await mostAsked()).toBeLessThanOrEqual(10);
	expect(follower.lostSince).toBeDefined();
});

test('a watch that stays open after its rights were withdrawn is compared once a minute', async () => {
	const follower = await follow();
	await world.pass(20 * second);
	world.forbids = true;
	const {length} = world.server.asked;
	await world.pass(10 * minute);
	const lists = world.server.asked
		.slice(length)
		.filter(({resource, url}) => resource === 'leases' && !/limit=1(&|$)/.test(url.search));
	expect(lists.length).toBeLessThanOrEqual(22);
	expect(follower.lostSince).toBeUndefined();
});
