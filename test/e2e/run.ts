import {existsSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {buildControlPlane, hasGo, kubernetesVersion} from './buildControlPlane.ts';
import {checkAll, describe} from './checks.ts';
import {type Cluster, startCluster, viewerVerbs} from './cluster.ts';
import {Forecasts} from './forecasts.ts';
import {Processes} from './processes.ts';
import {serveRemoteControl} from './remoteControl.ts';
import {summary} from './report.ts';
import {runScenario} from './scenario.ts';
import {WatchedForecasts} from './watchedForecasts.ts';

const {values: options} = parseArgs({
	options: {
		evidence: {type: 'string'},
		keep: {type: 'boolean'},
		plugin: {type: 'string', default: join(import.meta.dirname, '../../dist/kubectl-evictwatch')},
		'without-plugin': {type: 'boolean'},
	},
});

const started = Date.now();
const say = (line: string) =>
	console.log(`${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}`);

process.exit(await main());

/** Runs in a folder of its own, and leaves that behind only where something failed. */
async function main(): Promise<number> {
	if (!hasGo()) {
		console.log('skipped: Go is not installed');
		return 0;
	}
	const use = options.keep ? keep : options['without-plugin'] ? record : compare;
	if (use === compare && !existsSync(options.plugin)) {
		console.error(`error: there is no ${options.plugin}; npm run build makes it`);
		return 1;
	}
	const program = buildControlPlane(say);
	const folder = mkdtempSync(join(tmpdir(), 'evictwatch-e2e-'));
	const processes = new Processes(program, join(folder, 'logs'));
	const end = new AbortController();
	let code = 1;
	try {
		const cluster = startCluster(processes, folder, kubernetesVersion(), say);
		const run = cluster.then((started) => use(started, folder, end.signal));
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

/** The test: asks the plugin while the scenario runs, and compares. */
async function compare(cluster: Cluster, folder: string, signal: AbortSignal): Promise<number> {
	const plugin = {file: options.plugin, kubeconfig: cluster.controlPlane.viewerKubeconfig, signal};
	const [asked, watched] = [new Forecasts(plugin), new WatchedForecasts(plugin)];
	const outages = await runScenario(cluster, asked, say);
	const truth = {changes: cluster.recorder.changes, outages, endedAt: Date.now()};
	const evidence = {
		asked: {...truth, pods: asked.pods, nodes: asked.nodes},
		watched: {...truth, pods: watched.pods, nodes: []},
	};
	writeFileSync(options.evidence ?? join(folder, 'evidence.json'), JSON.stringify(evidence, null, '\t'));
	const verbs = [...viewerVerbs(cluster.controlPlane)];
	const checks = [
		...checkAll(evidence),
		{name: `each of ${asked.calls} calls is answered`, failures: asked.failures},
		{name: 'the watch goes on', failures: watched.failures},
		{
			name: 'the plugin only gets, lists and watches',
			failures: verbs.filter((verb) => !['get', 'list', 'watch'].includes(verb)),
		},
	];
	console.log(`\n${describe(evidence)}\n${summary(checks)}`);
	return checks.every(({failures}) => failures.length === 0) ? 0 : 1;
}

/** The scenario alone: what really happens, in seconds since the start. */
async function record(cluster: Cluster): Promise<number> {
	await runScenario(cluster, undefined, say);
	for (const {at, object, what} of cluster.recorder.changes) {
		console.log(`${((at - started) / 1000).toFixed(3).padStart(8)}  ${object}  ${what}`);
	}
	return 0;
}

/** Leaves the cluster to a person until Ctrl-C. */
async function keep({fleet, controlPlane}: Cluster): Promise<never> {
	const address = await serveRemoteControl(fleet);
	console.log(
		[
			`export KUBECONFIG=${controlPlane.adminKubeconfig}`,
			`curl ${address}                  which nodes are alive`,
			`curl '${address}/stop?node=a-1'  cuts a node's power`,
			`curl '${address}/start?zone=b'   brings a zone back`,
			'Ctrl-C ends it all.',
		].join('\n'),
	);
	return new Promise(() => {});
}

/** Answers with the exit code when somebody wants this to end. */
function interruption(): Promise<number> {
	return new Promise((resolve) => {
		process.once('SIGINT', () => resolve(130));
		process.once('SIGTERM', () => resolve(143));
		process.once('SIGHUP', () => resolve(129));
	});
}
