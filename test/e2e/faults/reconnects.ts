import {once} from 'node:events';
import {createServer, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {connect} from '../../../src/cluster/cluster.ts';
import {rawLease, rawNode, rawPod} from '../../support/rawObjects.ts';
import {bareEnvironment, instantTiming} from '../../support/testEnvironment.ts';

/** By then everything is compiled, on a busy machine as well, and every pool has its maximum size. */
const warm = 15_000;
/** One for each collection, and one for requests that are not watches. */
const mostConnections = 8;

/** What many reconnects leave behind. */
type Residue = {
	/** The used heap after each quarter of the reconnects, in bytes. */
	readonly heap: readonly number[];
	/** Open connections at the end, and after everything was closed. */
	readonly open: number;
	readonly left: number;
	readonly warnings: readonly string[];
};

/** Lets a client lose and reopen its watches this many times without pauses, and measures what that leaves behind. */
export async function reconnect(times: number): Promise<Residue> {
	const {server, port, connections, untilWatches} = await startServer();
	const warnings: string[] = [];
	const note = ({message}: Error) => warnings.push(message);
	process.on('warning', note);
	const sleep = () => new Promise<void>((resolve) => setImmediate(resolve));
	const timing = {...instantTiming(), sleep};
	const cluster = await connect({server: `http://127.0.0.1:${port}`}, bareEnvironment(), timing);
	const end = new AbortController();
	const watching = cluster.watch({pods: {type: 'all'}}, {push: () => undefined}, end.signal);
	const heap: number[] = [];
	for (const quarter of [0, 1, 2, 3, 4]) {
		await untilWatches(warm + (times * quarter) / 4);
		heap.push(usedHeap());
	}
	const open = await connections();
	end.abort();
	await watching;
	await cluster.close();
	server.close();
	await once(server, 'close');
	process.off('warning', note);
	return {heap, open, left: await connections(), warnings};
}

/**
 * The residues that are too large. What leaks grows in each quarter; what is compiled late grows in one. The first measurement
 * is left out: it may be too low because of the warm-up.
 *
 * @param tolerated in each quarter
 */
export function tooMuch({heap, open, left, warnings}: Residue, tolerated: number): readonly string[] {
	const later = heap.slice(1);
	const growth = Math.min(...later.slice(1).map((bytes, index) => bytes - (later[index] ?? 0)));
	return [
		...(growth > tolerated ? [`the heap grew by ${growth} bytes a quarter: ${heap.join(', ')}`] : []),
		...(open > mostConnections ? [`${open} connections were open`] : []),
		...(left > 0 ? [`${left} connections were left`] : []),
		...warnings,
	];
}

/** Answers lists, and ends each watch after an event, alternately regularly and with a reset. */
async function startServer() {
	const items = {
		nodes: [rawNode('n1')],
		pods: [rawPod('shop', 'cart-0', 'n1')],
		leases: [rawLease('kube-node-lease', 'n1')],
	};
	let watches = 0;
	let waiting: {readonly count: number; readonly resolve: () => void} | undefined;
	const watch = (response: ServerResponse, object: object) => {
		watches += 1;
		if (waiting && watches >= waiting.count) waiting.resolve();
		const line = `${JSON.stringify({type: 'MODIFIED', object})}\n`;
		if (watches % 2 === 0) response.end(line);
		else response.write(line, () => response.socket?.resetAndDestroy());
	};
	const server = createServer((request, response) => {
		const {pathname, searchParams} = new URL(request.url ?? '', 'http://localhost');
		const [, name = ''] = /\/(nodes|pods|leases)$/.exec(pathname) ?? [];
		const objects = items[name as keyof typeof items] ?? [];
		const [object] = objects;
		if (object && searchParams.has('watch')) watch(response, object);
		else response.end(JSON.stringify({kind: 'List', metadata: {resourceVersion: '1'}, items: objects}));
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const connections = () =>
		new Promise<number>((resolve, reject) =>
			server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
		);
	const untilWatches = (count: number) => new Promise<void>((resolve) => (waiting = {count, resolve}));
	const {port} = server.address() as AddressInfo;
	return {server, port, connections, untilWatches};
}

function usedHeap(): number {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	collect();
	collect();
	return process.memoryUsage().heapUsed;
}
