import {rmSync, writeFileSync} from 'node:fs';
import type {ServerResponse} from 'node:http';
import {createRequire} from 'node:module';
import {afterEach, beforeEach, expect, test} from 'vitest';
import type {Timing} from '../../../src/async/timing.ts';
import type {ConnectionOptions} from '../../../src/cluster/access/connectionOptions.ts';
import {connect} from '../../../src/cluster/cluster.ts';
import {minute, second} from '../../../src/core/time/instant.ts';
import {
	answerJson,
	answerStatus,
	FakeApiServer,
	type RawObject,
	type Resource,
} from '../../support/fakeApiServer.ts';
import {Follower} from '../../support/follower.ts';
import {rawEvent, rawLease, rawNode, rawPod} from '../../support/rawObjects.ts';
import {bareEnvironment, instantTiming, TemporaryFolder, timeByLooks} from '../../support/testEnvironment.ts';
import {serverTls} from '../../support/tlsFiles.ts';

/** Undici's own clock for request timeouts, which it lets tests advance. Otherwise it ticks each half second. */
const timers: {tick(milliseconds: number): void} = createRequire(import.meta.url)(
	'undici/lib/util/timers.js',
);

/** Advances the clock for request timeouts second by second, without waiting, until a promise settles. */
async function whileSilent<Result>(waited: PromiseLike<Result>): Promise<Result> {
	const ticking = setInterval(() => timers.tick(1000), 10);
	try {
		return await waited;
	} finally {
		clearInterval(ticking);
	}
}

/** No timeouts, except those that a test sets. */
const patient = {answerTimeout: 60 * minute, silenceTimeout: 60 * minute, livelySilenceTimeout: 60 * minute};

let server: FakeApiServer;
let stack: AsyncDisposableStack;
beforeEach(async () => {
	stack = new AsyncDisposableStack();
	server = stack.use(await FakeApiServer.start());
	server.apply('nodes', rawNode('n1'));
	server.apply('pods', rawPod('shop', 'cart-0', 'n1'));
	server.apply('leases', rawLease('kube-node-lease', 'n1'));
});
afterEach(() => stack.disposeAsync());

async function follow(
	selection?: ConstructorParameters<typeof Follower>[1],
	changes: Partial<Timing> = {},
	options: ConnectionOptions = {},
) {
	const timing = instantTiming(changes);
	const cluster = await connect({server: server.url, ...options}, bareEnvironment(), timing);
	stack.defer(() => cluster.close());
	return {follower: stack.use(new Follower(cluster, selection)), timing, cluster};
}

/** Follows until the first state has arrived and the watch of a resource is open. */
async function following(resource: Resource, changes: Partial<Timing> = {}, kubernetesVersion?: string) {
	const watching = server.nextWatch(resource);
	const {follower, timing, cluster} = await follow({pods: {type: 'all'}, kubernetesVersion}, changes);
	await follower.until(() => follower.calls.length > 0);
	await watching;
	return {follower, timing, cluster};
}

const requests = (resource: Resource, isWatch: boolean) =>
	server.asked.filter(
		(asked) => asked.resource === resource && asked.url.searchParams.has('watch') === isWatch,
	);

test('the first call brings the whole state, nodes before pods', async () => {
	const {follower} = await following('pods');
	expect(follower.calls).toHaveLength(1);
	expect(follower.received).toEqual([
		'nodeApplied n1',
		'leaseApplied kube-node-lease/n1',
		'podApplied shop/cart-0',
	]);
	expect(follower.problems).toEqual([]);
});

test('changes come as they happen, with the same shape as from the list', async () => {
	const {follower} = await following('pods');
	server.apply('pods', rawPod('shop', 'cart-0', 'n1'));
	server.remove('pods', 'shop/cart-0');
	await follower.untilReceived('podDeleted shop/cart-0');
	const [listed, changed] = follower.calls.flat().filter(({type}) => type === 'podApplied');
	expect(changed).toEqual(listed);
});

test('a watch asks for bookmarks, and for an end in five to ten minutes', async () => {
	await following('nodes');
	const {searchParams} = requests('nodes', true)[0]?.url ?? new URL(server.url);
	expect(searchParams.get('allowWatchBookmarks')).toBe('true');
	expect(searchParams.get('timeoutSeconds')).toBe('300');
});

test('a watch of ever new nodes is given up, and the nodes are listed anew', async () => {
	const {follower} = await following('nodes');
	const event = (name: string) => `${JSON.stringify({type: 'ADDED', object: rawNode(name)})}\n`;
	const closed = follower.until(() => follower.problems.length > 0);
	server.writeToNodes(Array.from({length: 6000}, (_, index) => event(`new-${index}`)).join(''));
	await closed;
	expect(follower.problems).toEqual([
		{
			reason: 'NodesUnreadable',
			message: 'the watch at /api/v1/nodes has no end: it brings more than 5002 objects',
		},
	]);
	await follower.untilReceived('nodeDeleted new-0');
	expect(requests('nodes', false)).toHaveLength(2);
	const known = new Set<string>();
	for (const what of follower.received) {
		const [type, name = ''] = what.split(' ');
		if (type === 'nodeApplied') known.add(name);
		if (type === 'nodeDeleted') known.delete(name);
	}
	expect([...known]).toEqual(['n1']);
});

test('a watch of lines that are no JSON is given up', async () => {
	const {follower} = await following('nodes');
	server.writeToNodes('{\n'.repeat(60));
	await follower.until(() => follower.problems.length > 0);
	expect(follower.problems[0]?.reason).toBe('ObjectsUnreadable');
	server.writeToNodes('\n'.repeat(10_000));
	await follower.until(() => follower.problems.some(({message}) => message.includes('is no JSON')));
	expect(follower.problems).toContainEqual({
		reason: 'NodesUnreadable',
		message: 'the watch at /api/v1/nodes is no JSON',
	});
});

test.for([
	{name: 'ends', end: () => server.endWatches()},
	{name: 'is cut off', end: () => server.cutWatches()},
])('a watch that $name goes on from the last version, without a new list', async ({end}) => {
	const {follower} = await following('nodes');
	server.apply('nodes', rawNode('n2'));
	await follower.untilReceived('nodeApplied n2');
	const again = server.nextWatch('nodes');
	end();
	server.apply('nodes', rawNode('n3'));
	await again;
	await follower.untilReceived('nodeApplied n3');
	expect(requests('nodes', false)).toHaveLength(1);
	expect(follower.received.filter((what) => what.startsWith('nodeApplied'))).toEqual([
		'nodeApplied n1',
		'nodeApplied n2',
		'nodeApplied n3',
	]);
});

test('a bookmark alone moves the version on', async () => {
	const {follower} = await following('nodes');
	server.apply('leases', rawLease('kube-node-lease', 'n2'));
	server.bookmark();
	await follower.untilReceived('leaseApplied kube-node-lease/n2');
	const again = server.nextWatch('nodes');
	server.endWatches();
	await again;
	const versions = requests('nodes', true).map(({url}) => Number(url.searchParams.get('resourceVersion')));
	expect(versions[1]).toBeGreaterThan(versions[0] ?? Number.POSITIVE_INFINITY);
});

test('a version that is too old means a new list; what vanished meanwhile is deleted', async () => {
	server.apply('nodes', rawNode('n2'));
	const {follower} = await following('nodes');
	const cut = server.drop('nodes');
	server.cutWatches();
	server.remove('nodes', 'n2');
	server.apply('nodes', rawNode('n3'));
	server.compact();
	cut();
	await follower.untilReceived('nodeApplied n3');
	expect(follower.received.filter((what) => what.startsWith('node'))).toEqual([
		'nodeApplied n1',
		'nodeApplied n2',
		'nodeDeleted n2',
		'nodeApplied n1',
		'nodeApplied n3',
	]);
});

test('what a new list shows happened at some instant since the last watch; how is not known', async () => {
	let clock = 1_000_000;
	server.clock = () => clock;
	const {follower} = await following('nodes', {now: () => clock});
	server.cutWatches();
	server.apply('nodes', rawNode('n3'));
	server.compact();
	clock += 30_000;
	await follower.untilReceived('nodeApplied n3');
	const provenance = follower.provenances.get('nodeApplied n3');
	expect(provenance?.type).toBe('historyLost');
	expect(clock - (provenance?.type === 'historyLost' ? provenance.since : clock)).toBeGreaterThanOrEqual(
		30_000,
	);
	await follower.until(() => follower.problems.some(({reason}) => reason === 'WatchGap'));
});

test('what a watch brings at once may have happened at any time since the watch before, and that gap is told', async () => {
	let clock = 1_000_000;
	server.clock = () => clock;
	const {follower} = await following('nodes', {now: () => clock});
	const heal = server.drop('nodes');
	server.cutWatches();
	await follower.until(() => follower.problems.some(({reason}) => reason === 'ServerUnreachable'));
	server.apply('nodes', rawNode('n3'));
	clock += 40_000;
	heal();
	await follower.untilReceived('nodeApplied n3');
	const provenance = follower.provenances.get('nodeApplied n3');
	expect(provenance?.type).toBe('late');
	expect(clock - (provenance?.type === 'late' ? provenance.since : clock)).toBeGreaterThanOrEqual(40_000);
	await follower.until(() => follower.problems.some(({reason}) => reason === 'WatchGap'));
});

test('a line that is not JSON does not show that all that was missed has come', async () => {
	let clock = 1_000_000;
	server.clock = () => clock;
	const {follower} = await following('nodes', {now: () => clock});
	const heal = server.drop('nodes');
	server.cutWatches();
	await follower.until(() => follower.problems.some(({reason}) => reason === 'ServerUnreachable'));
	clock += 40_000;
	const again = server.nextWatch('nodes');
	heal();
	await again;
	server.writeToNodes('not json\n');
	await follower.until(() => follower.problems.some(({reason}) => reason === 'ObjectsUnreadable'));
	server.apply('nodes', rawNode('n3'));
	await follower.untilReceived('nodeApplied n3');
	expect(follower.provenances.get('nodeApplied n3')?.type).toBe('late');
});

test('what is read after this program was kept from running may have come at any time since it last ran', async () => {
	let elapsed = 0;
	let clock = 1_000_000;
	server.clock = () => clock;
	const {follower} = await following('nodes', {now: () => clock, elapsed: () => elapsed});
	server.apply('nodes', rawNode('n3'));
	await follower.untilReceived('nodeApplied n3');
	expect(follower.provenances.get('nodeApplied n3')?.type).not.toBe('delayed');
	const ranAt = clock;
	server.apply('nodes', rawNode('n4'));
	elapsed += 3000;
	clock += 3000;
	await follower.untilReceived('nodeApplied n4');
	expect(follower.provenances.get('nodeApplied n4')).toEqual({type: 'delayed', since: ranAt});
});

test('as long as a watch cannot be opened again, it is said since when nothing is seen', async () => {
	let clock = 1_000_000;
	server.clock = () => clock;
	const {follower} = await following('nodes', {now: () => clock});
	const heal = server.drop('nodes');
	server.cutWatches();
	await follower.until(() => follower.lostSince !== undefined);
	expect(follower.lostSince).toBeLessThanOrEqual(clock);
	clock += 3000;
	await follower.until(() => follower.problems.some(({reason}) => reason === 'WatchInterrupted'));
	heal();
	await follower.until(() => follower.lostSince === undefined);
});

test('attempts are spaced out further and further, and the problem is said until it is over', async () => {
	const {follower, timing} = await following('nodes');
	let failures = 0;
	const heal = server.intercept(({resource}, response) => {
		if (resource !== 'nodes') return false;
		failures++;
		answerStatus(response, 503, 'starting');
		return true;
	});
	server.cutWatches();
	await follower.until(() => follower.problems.length > 0 && failures > 0);
	expect(follower.problems.map(({reason}) => reason)).toContain('NodesUnreadable');
	await expect.poll(() => failures).toBeGreaterThan(8);
	heal();
	await follower.until(() => follower.problems.length === 0);
	expect(timing.waits).toEqual(expect.arrayContaining([250, 500, 1000, 2000, 4000, 5000]));
	expect(Math.max(...timing.waits)).toBe(5000);
});

test('a server that ends every watch at once is not asked in a tight loop', async () => {
	server.intercept(({url}, response) => {
		if (!url.searchParams.has('watch')) return false;
		response.end();
		return true;
	});
	const {follower, timing} = await follow();
	await follower.until(() => follower.calls.length > 0);
	await expect.poll(() => timing.waits.length).toBeGreaterThan(12);
	expect(Math.max(...timing.waits)).toBeGreaterThan(500);
});

test('a silent watch is given up and opened again', async () => {
	const {follower} = await following('nodes', {...patient, silenceTimeout: second});
	await whileSilent(server.nextWatch('nodes'));
	expect(requests('nodes', false)).toHaveLength(1);
	expect(follower.problems).toEqual([]);
});

test('when the leases fall silent all watches are opened again, once: a server that shuts down is mute', async () => {
	const {follower, cluster} = await following('leases', {...patient, livelySilenceTimeout: second});
	server.apply('leases', rawLease('kube-node-lease', 'n1'));
	await follower.until(() => follower.calls.length > 1);
	await whileSilent(server.nextWatch('nodes'));
	// The leases are still silent, which is not reported again.
	for (let i = 0; i < 3; i++) await whileSilent(server.nextWatch('leases'));
	expect(requests('nodes', true)).toHaveLength(2);
	// The old watches are closed: one of each collection is open.
	const collections = new Set(
		server.asked
			.filter(({url}) => url.searchParams.has('watch'))
			.map(({url}) => `${url.pathname} ${url.searchParams.get('fieldSelector')}`),
	);
	await expect.poll(() => cluster.traffic().watches).toBeLessThanOrEqual(collections.size);
	expect(follower.problems).toEqual([]);
});

test('a watch that was silent because nothing happened has missed nothing', async () => {
	let clock = 1_000_000;
	server.clock = () => clock;
	const timing = {...patient, livelySilenceTimeout: second, now: () => clock};
	const {follower} = await following('leases', timing);
	// A new watch is requested only after the previous one was open.
	for (let i = 0; i < 4; i++) {
		clock += 16_000;
		await whileSilent(server.nextWatch('leases'));
	}
	expect(follower.problems).toEqual([]);
});

/** A lagging server: it opens watches of a resource at once, and sends their events on request. */
function lagging(resource: Resource) {
	const kept: ServerResponse[] = [];
	server.intercept((asked, response) => {
		if (asked.resource !== resource || !asked.url.searchParams.has('watch')) return false;
		response.writeHead(200).flushHeaders();
		kept.push(response);
		return true;
	});
	return kept;
}

const writtenAt = (object: RawObject, at: number): RawObject => ({
	...object,
	metadata: {
		...{...object.metadata, resourceVersion: '999'},
		managedFields: [
			{manager: 'kubelet', operation: 'Update', time: new Date(at).toISOString().replace('.000', '')},
		],
	},
});

test.for([
	{name: 'before it was opened was missed', ago: 20_000, wants: true},
	{name: 'since is news', ago: 1000, wants: false},
	{name: 'long before its deletion, which is news', ago: 20_000, type: 'DELETED', wants: false},
	{name: 'as a release has it that does not date each write', ago: 20_000, version: 'v1.24.0', wants: false},
	{name: 'as nobody knows of which release', ago: 20_000, version: undefined, wants: false},
])(
	'what a watch brings seconds after it was opened, and was written $name',
	async ({ago, type = 'MODIFIED', wants, ...release}) => {
		let clock = 1_000_000;
		server.clock = () => clock;
		const version = 'version' in release ? release.version : 'v1.36.3';
		const {follower} = await following('nodes', {now: () => clock}, version);
		const kept = lagging('nodes');
		clock += 40_000;
		server.cutWatches();
		await expect.poll(() => kept.length).toBe(1);
		// The client has noticed that it is open: the next batch comes on the same connection.
		kept[0]?.write('{"type":"PARTY","object":{}}\n');
		await follower.until(() => follower.problems.some(({reason}) => reason === 'ObjectsUnreadable'));
		clock += 2000;
		kept[0]?.write(`${JSON.stringify({type, object: writtenAt(rawNode('n1'), clock - ago)})}\n`);
		await follower.until(() => follower.received.filter((what) => what.endsWith(' n1')).length >= 2);
		expect(follower.problems.some(({reason}) => reason === 'WatchGap')).toBe(wants);
		expect(follower.provenances.get(type === 'DELETED' ? 'nodeDeleted n1' : 'nodeApplied n1')?.type).toBe(
			wants ? 'late' : undefined,
		);
	},
);

test('a silent watch that hid changes makes all watches be opened again, over new connections', async () => {
	let isFirst = true;
	server.intercept(({resource, url}, response) => {
		const isMute = isFirst && resource === 'leases' && url.searchParams.has('watch');
		if (isMute) response.writeHead(200).flushHeaders();
		if (isMute) isFirst = false;
		return isMute;
	});
	const watching = server.nextWatch('nodes');
	const count = server.countConnections();
	const {follower} = await follow(undefined, {...patient, livelySilenceTimeout: second});
	await follower.until(() => follower.calls.length > 0);
	await watching;
	const before = count();
	const again = server.nextWatch('nodes');
	server.apply('leases', rawLease('kube-node-lease', 'n1', '2026-01-01T00:00:09.000000Z'));
	await whileSilent(again);
	expect(requests('nodes', true)).toHaveLength(2);
	expect(requests('nodes', false)).toHaveLength(1);
	expect(count()).toBeGreaterThan(before);
});

test('a line that is not JSON is counted, and the watch goes on', async () => {
	const {follower} = await following('nodes');
	server.writeToNodes('not json\n');
	server.writeToNodes('{"type":"PARTY","object":{}}\n');
	server.apply('nodes', rawNode('n2'));
	await follower.untilReceived('nodeApplied n2');
	expect(follower.problems).toEqual([
		{
			reason: 'ObjectsUnreadable',
			message: expect.stringContaining('watch line that is not JSON (1), watch event of an unknown type (1)'),
		},
	]);
});

test('forbidden pods are a problem as long as they are; the rest goes on', async () => {
	const allow = server.forbid('pods');
	const {follower} = await follow();
	await follower.untilReceived('nodeApplied n1');
	expect(follower.problems.map(({reason}) => reason)).toEqual(['PodsForbidden']);
	allow();
	await follower.untilReceived('podApplied shop/cart-0');
	await follower.until(() => follower.problems.length === 0);
});

test('events are told as they come; forbidden, they cost nothing but themselves', async () => {
	const allow = server.forbid('events');
	const {follower} = await follow();
	await follower.untilReceived('podApplied shop/cart-0');
	expect(follower.problems.map(({reason}) => reason)).toEqual(['EventsForbidden']);
	const watching = server.nextWatch('events');
	allow();
	await watching;
	server.apply('events', rawEvent('n1', 'RegisteredNode'));
	await follower.untilReceived('eventApplied default/n1.registerednode');
});

test('forbidden nodes are a problem as long as they are; pods are followed', async () => {
	const allow = server.forbid('nodes');
	const {follower} = await follow();
	await follower.untilReceived('podApplied shop/cart-0');
	expect(follower.problems).toMatchObject([
		{reason: 'NodesForbidden', message: expect.stringContaining('cannot list resource "nodes"')},
	]);
	allow();
	await follower.untilReceived('nodeApplied n1');
	await follower.until(() => follower.problems.length === 0);
});

test('nodes that cannot be found end it, with the words of the API', async () => {
	server.refuse(404, 'there are no nodes here', ({resource}) => resource === 'nodes');
	const {follower} = await follow();
	await expect(follower.done).rejects.toMatchObject({
		name: 'UserError',
		message: expect.stringContaining('there are no nodes here'),
	});
});

test('nodes that become forbidden later do not: in an outage the authorizer fails too', async () => {
	const {follower} = await following('nodes');
	const allow = server.forbid('nodes');
	server.cutWatches();
	await follower.until(() => follower.problems.some(({reason}) => reason === 'NodesForbidden'));
	allow();
	server.apply('nodes', rawNode('n2'));
	await follower.untilReceived('nodeApplied n2');
});

test('a server that is away at the start is waited for', async () => {
	const back = server.drop();
	const {follower} = await follow();
	await follower.until(() => follower.problems.some(({reason}) => reason === 'ServerUnreachable'));
	back();
	await follower.untilReceived('podApplied shop/cart-0');
	await follower.until(() => follower.problems.length === 0);
});

test('a credential that is lost later is a problem, and heals', async () => {
	using folder = new TemporaryFolder();
	const token = folder.write('token', 't');
	await using tls = await FakeApiServer.start(serverTls);
	tls.apply('nodes', rawNode('n1'));
	const kubeconfig = folder.write('config', {
		users: [{name: 'u', user: {tokenFile: token}}],
		contexts: [{name: 'c', context: {user: 'u'}}],
	});
	const options = {kubeconfig, context: 'c', server: tls.url, insecureSkipTlsVerify: true};
	// A file may be missing for a second while it is replaced.
	let ahead = 0;
	const clock = () => Date.now() + ahead;
	tls.clock = clock;
	const cluster = await connect(options, bareEnvironment(), instantTiming({now: clock}));
	const watching = tls.nextWatch('nodes');
	const follower = stack.use(new Follower(cluster));
	await follower.untilReceived('nodeApplied n1');
	await watching;
	rmSync(token);
	// A request that read the file earlier may still open its watch, and then needs no credential for long.
	const reasons = () => {
		ahead += 1500;
		tls.endWatches();
		return follower.problems.map(({reason}) => reason);
	};
	await expect.poll(reasons, {timeout: 100_000}).toContain('CredentialsUnavailable');
	writeFileSync(token, 't');
	tls.apply('nodes', rawNode('n2'));
	await follower.untilReceived('nodeApplied n2');
	// Only the observation gap is still reported.
	await follower.until(() => follower.problems.every(({reason}) => reason === 'WatchGap'));
	await follower[Symbol.asyncDispose]();
	await cluster.close();
});

test('nothing is told before the nodes are known: their pods would look orphaned', async () => {
	let failures = 0;
	const heal = server.intercept(({resource}, response) => {
		if (resource !== 'nodes') return false;
		failures++;
		answerStatus(response, 503, 'starting');
		return true;
	});
	const watching = server.nextWatch('pods');
	const {follower} = await follow();
	await watching;
	await expect.poll(() => failures).toBeGreaterThan(3);
	expect(follower.calls).toEqual([]);
	heal();
	await follower.until(() => follower.calls.length > 0);
	expect(follower.received).toContain('nodeApplied n1');
	expect(follower.received).toContain('podApplied shop/cart-0');
});

test('only the pods of the nodes asked for are watched', async () => {
	server.apply('pods', rawPod('shop', 'cart-1', 'n2'));
	const watching = server.nextWatch('pods');
	const {follower} = await follow({pods: {type: 'nodes', nodes: ['n1']}});
	await watching;
	server.apply('pods', rawPod('shop', 'cart-2', 'n2'));
	server.apply('pods', rawPod('shop', 'cart-3', 'n1'));
	await follower.untilReceived('podApplied shop/cart-3');
	expect(follower.received.filter((what) => what.startsWith('pod'))).toEqual([
		'podApplied shop/cart-0',
		'podApplied shop/cart-3',
	]);
});

test('an abort ends it without an error, and nothing is told after it', async () => {
	const {follower} = await following('nodes');
	await follower[Symbol.asyncDispose]();
	await expect(follower.done).resolves.toBeUndefined();
	const told = follower.calls.length;
	server.apply('nodes', rawNode('n2'));
	expect(follower.calls).toHaveLength(told);
});

/** Holds matching requests without an answer; the returned function drops all of them. */
function hold(isMeant: (url: URL) => boolean): () => void {
	const held: ServerResponse[] = [];
	const heal = server.intercept(({url}, response) => {
		if (isMeant(url)) held.push(response);
		return isMeant(url);
	});
	return () => {
		heal();
		for (const response of held) response.destroy();
	};
}

const isNodeWatch = (url: URL) => url.pathname.endsWith('/nodes') && url.searchParams.has('watch');

test('a watch that has ended and is not opened again is a gap at once, whoever makes it wait', async () => {
	let elapsed = 0;
	const {follower} = await following('nodes', {elapsed: () => elapsed});
	const release = hold(isNodeWatch);
	server.endWatches();
	await expect.poll(() => requests('nodes', true).length, {timeout: 100_000}).toBeGreaterThan(1);
	expect(follower.lostSince).toBeUndefined();
	elapsed += 2000;
	await follower.until(() => follower.lostSince !== undefined);
	release();
	await follower.until(() => follower.lostSince === undefined);
});

test('an API server that answers nothing is found out by its silence, and all is seen again once it answers', async () => {
	let elapsed = 0;
	let clock = 1_000_000;
	server.clock = () => clock;
	let isHeld = false;
	/** Time advances by looks, however slow this machine is. */
	const nextLook = async () => {
		await new Promise((go) => setTimeout(go, 5));
		if (isHeld) elapsed += 500;
		if (isHeld) clock += 500;
	};
	const timing = {...patient, elapsed: () => elapsed, now: () => clock, nextLook, lookPeriod: 500};
	const {follower} = await following('nodes', timing);
	await expect.poll(() => server.watchesOf('leases'), {timeout: 100_000}).toBe(2);
	const release = hold(() => true);
	const silentSince = clock;
	isHeld = true;
	await follower.until(() => follower.lostSince !== undefined);
	expect(clock - silentSince).toBeLessThanOrEqual(10 * second);
	expect((follower.lostSince ?? 0) - silentSince).toBeLessThanOrEqual(500);
	await follower.until(() => follower.problems.some(({reason}) => reason === 'WatchInterrupted'));
	// Events of the old watch do not count as an interruption. Each watch notices by its own looks.
	await expect.poll(() => server.watchesOf('nodes'), {timeout: 100_000}).toBe(0);
	isHeld = false;
	server.apply('nodes', rawNode('n7'));
	release();
	await follower.untilReceived('nodeApplied n7');
	await follower.until(() => follower.lostSince === undefined);
	expect(follower.provenances.get('nodeApplied n7')?.type).toBe('late');
});

test('renewals of long ago, which come first once a watch is open again, do not show yet that all is seen', async () => {
	let elapsed = 0;
	let clock = 1_000_000;
	server.clock = () => clock;
	// Time advances only when the test wakes the waits.
	const waits: (() => void)[] = [];
	const {sleep: moment} = instantTiming();
	const sleep: Timing['sleep'] = (duration, signal) =>
		duration === 10 * second ? new Promise((go) => waits.push(go)) : moment(duration, signal);
	const timing = {...patient, elapsed: () => elapsed, now: () => clock, sleep};
	const {follower} = await following('leases', timing, 'v1.36.3');
	const watched = () => (['nodes', 'pods', 'leases'] as const).map((resource) => server.watchesOf(resource));
	await expect.poll(watched, {timeout: 100_000}).toEqual([1, 1, 2]);
	const release = hold((url) => url.pathname.endsWith('/leases') && url.searchParams.has('watch'));
	server.cutWatches();
	await expect.poll(() => requests('leases', true).length, {timeout: 100_000}).toBeGreaterThanOrEqual(4);
	await expect.poll(watched, {timeout: 100_000}).toEqual([1, 1, 0]);
	elapsed += 2000;
	clock += 80_000;
	await follower.until(() => follower.lostSince !== undefined);
	const kept = lagging('leases');
	release();
	await expect.poll(() => kept.length, {timeout: 100_000}).toBe(2);
	const renew = (name: string, ago: number) => {
		const object = writtenAt(rawLease('kube-node-lease', name), clock - ago);
		for (const response of kept) response.write(`${JSON.stringify({type: 'MODIFIED', object})}\n`);
	};
	renew('n2', 60_000);
	const renewed = 'leaseApplied kube-node-lease/n2';
	await follower.until(() => follower.received.filter((what) => what === renewed).length === kept.length);
	expect(follower.lostSince).toBeDefined();
	// While old events arrive, the watch waits.
	const opened = waits.splice(0, 2);
	elapsed += 8000;
	clock += 8000;
	renew('n4', 30_000);
	await follower.until(() => follower.received.includes('leaseApplied kube-node-lease/n4'));
	for (const end of opened) end();
	renew('n5', 20_000);
	await follower.until(() => follower.received.includes('leaseApplied kube-node-lease/n5'));
	expect(follower.lostSince).toBeDefined();
	renew('n3', 1000);
	await follower.until(() => follower.lostSince === undefined);
});

test('after a long loss the first renewal is waited for longer: a server needs a while to send all that was missed', async () => {
	let elapsed = 0;
	let clock = 1_000_000;
	server.clock = () => clock;
	const waits: number[] = [];
	const {sleep: moment} = instantTiming();
	const sleep: Timing['sleep'] = (duration, signal) => {
		if (duration < 10 * second) return moment(duration, signal);
		waits.push(duration);
		return new Promise(() => undefined);
	};
	const timing = {...patient, elapsed: () => elapsed, now: () => clock, sleep};
	const {follower} = await following('leases', timing, 'v1.36.3');
	await expect.poll(() => server.watchesOf('leases'), {timeout: 100_000}).toBe(2);
	const release = hold((url) => url.pathname.endsWith('/leases') && url.searchParams.has('watch'));
	server.cutWatches();
	await expect.poll(() => requests('leases', true).length, {timeout: 100_000}).toBeGreaterThanOrEqual(4);
	elapsed += 2000;
	clock += 400 * second;
	await follower.until(() => follower.lostSince !== undefined);
	waits.length = 0;
	const kept = lagging('leases');
	release();
	await expect.poll(() => kept.length, {timeout: 100_000}).toBe(2);
	await expect.poll(() => waits.filter((one) => one >= 39 * second && one <= 41 * second).length).toBe(2);
	expect(follower.lostSince).toBeDefined();
});

test('a cluster in which nothing happens is asked whether that is so, and confirms it', async () => {
	const {follower} = await following('nodes', timeByLooks());
	const before = follower.confirmed;
	await follower.until(() => follower.confirmed > before);
	expect(follower.lostSince).toBeUndefined();
});

test('without a limit for requests, the headers of a watch are not waited for without end', async () => {
	const timing = {...patient, answerTimeout: second};
	const watching = server.nextWatch('nodes');
	const {follower} = await follow(undefined, timing, {requestTimeout: '0'});
	await follower.until(() => follower.calls.length > 0);
	await watching;
	const release = hold(isNodeWatch);
	server.endWatches();
	const asked = () => requests('nodes', true).length;
	await whileSilent(expect.poll(asked, {timeout: 60_000, interval: 10}).toBeGreaterThan(3));
	release();
});

/** Answers requests for the namespace kube-system with its current UID. */
function identify(uid: () => string): void {
	server.intercept(({url}, response) => {
		if (!url.pathname.endsWith('/namespaces/kube-system')) return false;
		if (uid() === '') answerStatus(response, 403, 'forbidden');
		else answerJson(response, {kind: 'Namespace', metadata: {name: 'kube-system', uid: uid()}});
		return true;
	});
}

test('another cluster at the same address is found out before its watches are opened', async () => {
	let uid = 'one';
	identify(() => uid);
	const {follower, cluster} = await following('nodes');
	await cluster.controlPlane();
	uid = 'two';
	const before = requests('nodes', true).length;
	server.endWatches();
	await expect(follower.done).rejects.toMatchObject({name: 'AnotherClusterError', uid: 'two'});
	expect(requests('nodes', true)).toHaveLength(before);
});

test('where the namespace may not be read, nothing is said of another cluster', async () => {
	let uid = 'one';
	identify(() => uid);
	const {follower} = await following('nodes');
	uid = '';
	server.endWatches();
	await server.nextWatch('nodes');
	server.apply('nodes', rawNode('n8'));
	await follower.untilReceived('nodeApplied n8');
});
