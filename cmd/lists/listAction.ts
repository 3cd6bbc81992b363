import {systemEnvironment} from '../../src/cluster/access/environment.ts';
import type {Cluster} from '../../src/cluster/cluster.ts';
import {requestSent, type TrafficCounts} from '../../src/cluster/transport/traffic.ts';
import {type Duration, second} from '../../src/core/time/instant.ts';
import {readOnce} from '../../src/session/clusterSource.ts';
import type {Options} from '../args/options.ts';
import {Interruption} from '../output/interruption.ts';
import type {Terminal} from '../output/terminal.ts';
import {TerminalLock} from '../output/terminalLock.ts';
import {selectionFor, withCluster} from '../sources/reading.ts';

/** The commands `pods` (also without a command), `nodes` and `zones`. */
export async function list(options: Options, terminal: Terminal): Promise<number> {
	if (options.filenames.length > 0) {
		const {listFiles} = await import('./listOnce.ts');
		return listFiles(options, terminal);
	}
	// Installed first, as a slow API server may delay what follows.
	const interruption = options.watch ? new Interruption() : undefined;
	const lock = new TerminalLock();
	const looking = (cluster: Cluster) => {
		const own = lock.heldBack(terminal, process);
		const look = () => lookAt(cluster, options, own, interruption);
		return withDebug(look, options.flags, () => cluster.traffic(), own);
	};
	return withCluster(options.flags, looking, lock.around(systemEnvironment()));
}

async function lookAt(
	cluster: Cluster,
	options: Options,
	terminal: Terminal,
	interruption: Interruption | undefined,
): Promise<number> {
	const namespace = isOfAllNamespaces(options) ? undefined : cluster.namespace;
	if (interruption) {
		const {listFollowed} = await import('./listFollowed.ts');
		return listFollowed(cluster, namespace, options, terminal, interruption);
	}
	const sent = requestSent();
	const reading = Promise.all([readOnce(cluster, selectionFor(options), namespace), cluster.controlPlane()]);
	// Its error is handled below.
	await Promise.race([sent, reading.catch(() => undefined)]);
	// Loaded while the API server works on the first request.
	const {listOnce} = await import('./listOnce.ts');
	const [snapshot, controlPlane] = await reading;
	return listOnce({cluster, snapshot, controlPlane, namespace}, options, terminal);
}

/** Without a command, shows what the dashboard would: all namespaces, unless one is given. */
const isOfAllNamespaces = ({
	command,
	filter,
	flags,
}: Pick<Options, 'command' | 'filter' | 'flags'>): boolean =>
	filter.allNamespaces || (command === undefined && flags.namespace === undefined);

/** How often a watch prints its cost. */
const reportEvery: Duration = 10 * second;

/** Runs a command; with `--debug` prints its cost at the end, and repeatedly while it runs. */
async function withDebug<T>(
	run: () => Promise<T>,
	{debug}: {readonly debug: boolean},
	traffic: () => TrafficCounts,
	terminal: Terminal,
): Promise<T> {
	if (!debug) return run();
	const report = () =>
		terminal.printError(debugLine(traffic(), process.cpuUsage(), process.memoryUsage.rss()));
	const timer = setInterval(report, reportEvery);
	try {
		return await run();
	} finally {
		clearInterval(timer);
		await report();
	}
}

/** Requests and traffic of the API server, and our own resources. */
function debugLine(
	{requests, bytes, watches, mostWatches}: TrafficCounts,
	{user, system}: {readonly user: number; readonly system: number},
	memory: number,
): string {
	const words = [
		`${requests} requests`,
		`${(bytes / 1e6).toFixed(1)} MB received`,
		`${watches} watches open (most: ${mostWatches})`,
		`${((user + system) / 1e6).toFixed(1)} s of processor time`,
		`${(memory / 1e6).toFixed(0)} MB of memory`,
	];
	return `debug: ${words.join(', ')}\n`;
}
