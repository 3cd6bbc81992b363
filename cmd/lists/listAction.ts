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

/** The commands `pods`, `nodes` and `zones`; `pods` where none was given. */
export async function list(options: Options, terminal: Terminal): Promise<number> {
	if (options.filenames.length > 0) {
		const {listFiles} = await import('./listOnce.ts');
		return listFiles(options, terminal);
	}
	// Before all that takes time: a server may be slow to answer.
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
	const reading = Promise.all([
		readOnce(cluster, selectionFor(options, namespace), namespace),
		cluster.controlPlane(),
	]);
	// Its failure is told of below.
	await Promise.race([sent, reading.catch(() => undefined)]);
	// What makes a forecast, and prints it, is loaded while the cluster thinks.
	const {listOnce} = await import('./listOnce.ts');
	const [snapshot, controlPlane] = await reading;
	return listOnce({cluster, snapshot, controlPlane, namespace}, options, terminal);
}

/** Without a command it shows what the dashboard would: all namespaces, unless one is named. */
const isOfAllNamespaces = ({
	command,
	filter,
	flags,
}: Pick<Options, 'command' | 'filter' | 'flags'>): boolean =>
	filter.allNamespaces || (command === undefined && flags.namespace === undefined);

/** How often a watch says what it has cost so far. */
const reportEvery: Duration = 10 * second;

/** Runs a command; with `--debug` it says what that has cost: at its end, and as long as it runs. */
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

/** What the API server was asked and sent, and what we used ourselves. */
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
