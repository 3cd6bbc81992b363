import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {parseArgs} from 'node:util';
import {region} from '../fleet.ts';
import {report} from '../report.ts';
import {builtPlugin, runSession, type Session, say} from '../session.ts';
import {judge} from './judge.ts';
import {judgeLeaving} from './leaving.ts';
import {deadZone} from './names.ts';
import {ask, type JsonPod, type JsonWhatIf, type Prediction, sideOf} from './prediction.ts';
import {Truth} from './truth.ts';
import {createWorkloads} from './workloads.ts';

const {
	values: {plugin: file, large: isLarge},
} = parseArgs({
	options: {plugin: {type: 'string', default: builtPlugin}, large: {type: 'boolean', default: false}},
});

const controllers = [
	...['replicaset', 'deployment', 'statefulset', 'daemonset', 'job', 'disruption'],
	'endpointslice',
].map((name) => `${name}-controller`);

/** With --large there are more nodes than are read at once, so only some nodes' pods are read. */
const layout = {a: 3, b: 3, c: isLarge ? 200 : 3};

/** By then the nodes have missed two heartbeats, and no controller has noticed. */
const silence = 24_000;
/** Grace period, pass, a queue of three nodes and the toleration: 50 + 5 + 20 + 40 s. */
const patience = 180_000;
/** How long the controllers and the scheduler take to handle the last of them. */
const aftermath = 15_000;

process.exit(await runSession(compare, file, {podKinds: {}, controllers, hasScheduler: true, layout}));

/** Stops a zone: compares the predictions right afterwards with what happens to the workloads. */
async function compare({cluster, folder, signal}: Session): Promise<number> {
	const {admin, fleet, controlPlane} = cluster;
	const plugin = {file, kubeconfig: controlPlane.viewerKubeconfig, signal};
	const truth = new Truth();
	truth.start(admin);
	say(`${await createWorkloads(admin, () => truth.readyPods)} pods run`);
	await sleep(10_000 * Math.random());
	const diedAt = Date.now();
	fleet.stop(fleet.namesIn(deadZone));
	say(`zone ${deadZone} dead`);
	const zone = `${region}/${deadZone}`;
	const question = ['what-if', '--zone-down', zone];
	const atOnce = sideOf('at once', await ask<JsonWhatIf>(plugin, ...question), 'after');
	await sleep(diedAt + silence - Date.now());
	const listed = await ask<{items: readonly JsonPod[]}>(plugin, 'pods', '-A');
	const later = sideOf('once silent', await ask<JsonWhatIf>(plugin, ...question), 'before');
	const predictions: Prediction[] = [atOnce, {...later, pods: listed.items}];
	await untilDeleted(truth, diedAt);
	say('all that tolerated it for a while are deleted');
	await sleep(aftermath);
	const checks = predictions.flatMap((prediction) => judge(prediction, truth, diedAt, isLarge));
	checks.push(...(await judgeLeaving(plugin, cluster, truth)));
	truth.end();
	const evidence = {predictions, pods: [...truth.pods.values()], counts: [...truth.counts]};
	writeFileSync(join(folder, 'evidence.json'), JSON.stringify({diedAt, ...evidence}, null, '\t'));
	return report(checks);
}

async function untilDeleted(truth: Truth, diedAt: number): Promise<void> {
	const doomed = [...truth.pods.values()].filter(
		({node, app}) => node.startsWith(`${deadZone}-`) && app !== 'agent',
	);
	for (const deadline = diedAt + patience; Date.now() < deadline; await sleep(200))
		if (doomed.every(({terminatingAt}) => terminatingAt !== undefined)) return;
	say('not all of them were deleted');
}
