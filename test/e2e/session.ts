import {existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {buildControlPlane, kubernetesVersion, skipsWithoutGo} from './buildControlPlane.ts';
import {type Cluster, type ClusterOptions, startCluster} from './cluster.ts';
import {Processes} from './processes.ts';

const started = Date.now();

/** Prints progress, with the time since the start. */
export const say = (line: string): void =>
	console.log(`${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}`);

/** The program that `npm run build` makes. */
export const builtPlugin = join(import.meta.dirname, '../../dist/kubectl-evictwatch');

/** The resources of a running suite: a cluster, its servers, a folder, and the signal that ends all of it. */
export type Session = {
	readonly cluster: Cluster;
	readonly processes: Processes;
	readonly folder: string;
	readonly signal: AbortSignal;
};

/**
 * Runs a suite on its own control plane; returns its exit code. The folder with the logs is kept only if something failed.
 *
 * @param plugin the program under test, if any
 */
export async function runSession(
	use: (session: Session) => Promise<number>,
	plugin: string | undefined,
	options: ClusterOptions = {},
): Promise<number> {
	if (skipsWithoutGo()) return 0;
	if (plugin !== undefined && !existsSync(plugin)) {
		console.error(`error: there is no ${plugin}; npm run build makes it`);
		return 1;
	}
	const program = buildControlPlane(say);
	const folder = mkdtempSync(join(tmpdir(), 'evictwatch-e2e-'));
	const processes = new Processes(program, join(folder, 'logs'));
	const end = new AbortController();
	let code = 1;
	try {
		const cluster = startCluster(processes, folder, kubernetesVersion(), say, options);
		const run = cluster.then((cluster) => use({cluster, processes, folder, signal: end.signal}));
		code = await Promise.race([run, processes.crash, interruption()]);
	} catch (error) {
		console.error(error);
	} finally {
		end.abort();
		await processes.stop();
		if (code === 1) console.log(`logs and evidence are in ${folder}`);
		else rmSync(folder, {recursive: true, force: true});
	}
	return code;
}

/** Resolves with the exit code when a signal asks this process to end. */
function interruption(): Promise<number> {
	return new Promise((resolve) => {
		process.once('SIGINT', () => resolve(130));
		process.once('SIGTERM', () => resolve(143));
		process.once('SIGHUP', () => resolve(129));
	});
}
