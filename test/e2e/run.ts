import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {checkAll, describe} from './checks.ts';
import {viewerVerbs} from './cluster.ts';
import {publishDevice} from './devices.ts';
import {Forecasts} from './forecasts.ts';
import {followsLostToken, lostTokens} from './lostTokens.ts';
import {freePorts} from './processes.ts';
import {serveRemoteControl} from './remoteControl.ts';
import {report} from './report.ts';
import {deviceNode, runScenario} from './scenario.ts';
import {builtPlugin, runSession, type Session, say} from './session.ts';
import {wordsOf} from './shadow/divergence.ts';
import {ShadowProcess} from './shadow/shadowProcess.ts';
import {WatchedForecasts} from './watchedForecasts.ts';

const {values: options} = parseArgs({
	options: {
		evidence: {type: 'string'},
		keep: {type: 'boolean'},
		plugin: {type: 'string', default: builtPlugin},
		'without-plugin': {type: 'boolean'},
	},
});

const started = Date.now();
const use = options.keep ? keep : options['without-plugin'] ? record : compare;

process.exit(await runSession(use, use === compare ? options.plugin : undefined));

/** The test: runs the plugin during the scenario, and compares. */
async function compare({cluster, folder, signal}: Session): Promise<number> {
	const plugin = {file: options.plugin, kubeconfig: cluster.controlPlane.viewerKubeconfig, signal};
	// A driver publishes its devices long before one breaks; a watch without devices only checks for them every five minutes.
	await publishDevice(cluster.admin, deviceNode);
	const [asked, watched] = [new Forecasts(plugin), new WatchedForecasts(plugin)];
	const [port = 0] = await freePorts(1);
	const shadow = new ShadowProcess('shadow', plugin, ['--listen', `127.0.0.1:${port}`], () => {});
	await shadow.start();
	const outages = await runScenario(cluster, asked, say);
	const judged = await judgedInside(port);
	await shadow.end();
	const lost = lostTokens(cluster.controlPlane.controllerManagerLog);
	const truth = {changes: cluster.recorder.changes, outages, endedAt: Date.now(), lostTokens: lost};
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
			name: 'a shadow tells of nothing but a token that the controller lost',
			failures: shadow.reports
				.filter(({divergence}) => !followsLostToken(divergence, lost))
				.map(({divergence}) => wordsOf(divergence)),
		},
		...['TaintNode', 'DeletePod', 'DeletePodForDevice'].map((action) => ({
			name: `and finds ${action} as predicted`,
			failures: judged.has(action) ? [] : [`only ${[...judged].join(', ')}`],
		})),
		{
			name: 'the plugin only gets, lists and watches',
			failures: verbs.filter((verb) => !['get', 'list', 'watch'].includes(verb)),
		},
	];
	console.log(`\n${describe(evidence)}`);
	return report(checks);
}

/** The actions that a shadow observed within their ranges, from its metrics. */
async function judgedInside(port: number): Promise<Set<string>> {
	const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
	const text = await answer.text();
	const found = text.matchAll(/^evictwatch_predictions_total\{action="(\w+)",outcome="inside"\} [1-9]/gm);
	return new Set([...found].map(([, action = '']) => action));
}

/** Only the scenario: prints what happens, in seconds since the start. */
async function record({cluster}: Session): Promise<number> {
	await runScenario(cluster, undefined, say);
	for (const {at, object, what} of cluster.recorder.changes) {
		console.log(`${((at - started) / 1000).toFixed(3).padStart(8)}  ${object}  ${what}`);
	}
	return 0;
}

/** Leaves the cluster running until Ctrl-C. */
async function keep({cluster: {fleet, controlPlane}}: Session): Promise<never> {
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
