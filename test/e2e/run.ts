import {existsSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {buildControlPlane, hasGo, kubernetesVersion} from './buildControlPlane.ts';
import {type Cluster, startCluster, viewerVerbs} from './cluster.ts';
import {Forecasts} from './forecasts.ts';
import {type Check, deletions, type Evidence, judgeAll, judgeOutcome, judgeStay, nodeSteps} from './judge.ts';
import {Processes} from './processes.ts';
import {serveRemoteControl} from './remoteControl.ts';
import {outcomeTable, summary, widths} from './report.ts';
import {runScenario} from './scenario.ts';
import {evictablePods, steadfastPod} from './workload.ts';

const plugin = join(import.meta.dirname, '../../dist/kubectl-evictwatch');

const {values: options} = parseArgs({
	options: {keep: {type: 'boolean'}, 'without-plugin': {type: 'boolean'}},
});

const started = Date.now();
const say = (line: string) =>
	console.log(`${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}`);

process.exit(await main());

/** Runs the suite in a folder of its own, and leaves that behind only where something failed. */
async function main(): Promise<number> {
	if (!hasGo()) {
		console.log('skipped: Go is not installed');
		return 0;
	}
	if (!options.keep && !options['without-plugin'] && !existsSync(plugin)) {
		console.error(`error: no ${plugin}: npm run build makes it`);
		return 1;
	}
	const program = buildControlPlane(say);
	const folder = mkdtempSync(join(tmpdir(), 'evictwatch-e2e-'));
	const processes = new Processes(program, join(folder, 'logs'));
	let code = 1;
	try {
		code = await Promise.race([suite(processes, folder), processes.crash, interruption()]);
	} catch (error) {
		console.error(error);
	} finally {
		await processes.stop();
		if (code === 1) console.log(`logs and evidence are in ${folder}`);
		else rmSync(folder, {recursive: true, force: true});
	}
	return code;
}

async function suite(processes: Processes, folder: string): Promise<number> {
	const cluster = await startCluster(processes, folder, kubernetesVersion(), say);
	say(`the cluster is up, KUBECONFIG=${cluster.controlPlane.adminKubeconfig}`);
	if (options.keep) return keep(cluster);
	const forecasts = new Forecasts(plugin, cluster.controlPlane.viewerKubeconfig);
	const outages = await runScenario(cluster, options['without-plugin'] ? undefined : forecasts, say);
	const {pods, nodes} = forecasts;
	const evidence = {pods, nodes, changes: cluster.recorder.changes, outages, endedAt: Date.now()};
	writeFileSync(join(folder, 'evidence.json'), JSON.stringify(evidence, null, '\t'));
	for (const [title, outcomes] of [
		['NODE', nodeSteps(evidence)],
		['POD', deletions(evidence)],
	] as const) {
		console.log(`\n${outcomeTable(title, outcomes, outages)}\n\n${widths(outcomes)}`);
	}
	const checks = options['without-plugin'] ? [] : judge(cluster, forecasts, evidence);
	console.log(`\n${summary(checks)}`);
	return checks.every(({failures}) => failures.length === 0) ? 0 : 1;
}

function judge(cluster: Cluster, {calls, failures}: Forecasts, evidence: Evidence): Check[] {
	const dead = evidence.outages.flatMap(({nodes}) => nodes);
	const gone = deletions(evidence);
	const spared = dead.flatMap(evictablePods).filter((pod) => !gone.some(({subject}) => subject === pod));
	const writes = [...viewerVerbs(cluster.controlPlane)].filter(
		(verb) => !['get', 'list', 'watch'].includes(verb),
	);
	return [
		{name: 'the cluster evicts all pods that it should', failures: spared},
		...nodeSteps(evidence).map(judgeOutcome),
		...gone.map(judgeOutcome),
		...dead.map((node) => judgeStay(steadfastPod(node), evidence)),
		...judgeAll(evidence),
		{name: `each of ${calls} calls is answered`, failures},
		{name: 'the plugin only gets, lists and watches', failures: writes},
	];
}

/** Leaves the cluster to a person until Ctrl-C. */
async function keep({fleet}: Cluster): Promise<never> {
	const address = await serveRemoteControl(fleet);
	console.log(
		[
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
