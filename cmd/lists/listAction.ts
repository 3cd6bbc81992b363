import {systemEnvironment} from '../../src/cluster/access/environment.ts';
import type {Cluster} from '../../src/cluster/cluster.ts';
import {requestSent, type TrafficCounts} from '../../src/cluster/transport/traffic.ts';
import {type Duration, second} from '../../src/core/time/instant.ts';
import type {Options} from '../args/options.ts';
import {Interruption} from '../output/interruption.ts';
import type {Terminal} from '../output/terminal.ts';
import {terminalLock} from '../output/terminalLock.ts';
import {scopeOf} from '../sources/look.ts';
import {selectionFor, withCluster} from '../sources/reading.ts';
import {lookAtCluster} from '../sources/scene.ts';

/** The commands `pods` (also without a command), `nodes`, `zones` and `events`. */
export async function list(options: Options, terminal: Terminal) {
	if (options.filenames.length > 0) return listFiles(options, terminal);
	// Installed first, as a slow API server may delay what follows.
	const interruption = options.watch ? new Interruption() : undefined;
	const lock = terminalLock();
	const looking = (cluster: Cluster) => {
		const own = lock.heldBack(terminal, process);
		return withDebug(() => lookAt(cluster, options, own, interruption), cluster, options, own);
	};
	return withCluster(options.flags, looking, lock.around(systemEnvironment()));
}

async function listFiles(options: Options, terminal: Terminal) {
	const {recordingOf, sceneOfFiles} = await import('../sources/fileScene.ts');
	if (options.watch) {
		const {followRecording} = await import('./followList.ts');
		const {withListing} = await import('./listings.ts');
		const recording = await recordingOf(options.filenames);
		return withListing(options.command, (listing) => followRecording(listing, recording, options, terminal));
	}
	const {listOnce} = await import('./listOnce.ts');
	return listOnce(await sceneOfFiles(options), options, terminal);
}

async function lookAt(
	cluster: Cluster,
	options: Options,
	terminal: Terminal,
	interruption: Interruption | undefined,
) {
	if (interruption) {
		const {followCluster} = await import('./followList.ts');
		return followCluster(cluster, options, terminal, interruption);
	}
	// Loaded while the API server works on the first request.
	const printing = requestSent().then(() => import('./listOnce.ts'));
	const isOneNamespace = scopeOf(options, cluster.namespace) !== undefined;
	const look = await lookAtCluster(cluster, options, selectionFor(options), isOneNamespace);
	return (await printing).listOnce(look, options, terminal);
}

/** How often a watch prints its cost. */
const reportEvery: Duration = 10 * second;

/** Runs a command; with `--debug` prints its cost at the end, and repeatedly while it runs. */
async function withDebug(run: () => Promise<number>, cluster: Cluster, {flags}: Options, terminal: Terminal) {
	if (!flags.debug) return run();
	const report = () => terminal.printError(debugLine(cluster.traffic()));
	const timer = setInterval(report, reportEvery);
	try {
		return await run();
	} finally {
		clearInterval(timer);
		await report();
	}
}

/** Requests and traffic of the API server, and our own resources. */
function debugLine({requests, bytes, watches, mostWatches}: TrafficCounts): string {
	const {user, system} = process.cpuUsage();
	const words = [
		`${requests} requests`,
		`${(bytes / 1e6).toFixed(1)} MB received`,
		`${watches} watches open (most: ${mostWatches})`,
		`${((user + system) / 1e6).toFixed(1)} s of processor time`,
		`${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB of memory`,
	];
	return `debug: ${words.join(', ')}\n`;
}
