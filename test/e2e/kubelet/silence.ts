import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Cluster} from '../cluster.ts';
import {Forecasts} from '../forecasts.ts';
import {type Check, deletions, judgeAll, judgeOutcome, nodeSteps, type Outcome} from '../judge.ts';
import {lostTokens} from '../lostTokens.ts';
import type {Plugin} from '../plugin.ts';
import {say} from '../session.ts';
import {WatchedForecasts} from '../watchedForecasts.ts';
import {tolerate} from '../workload.ts';
import {type KubeletSettings, nodeName, type RealNode, until} from './node.ts';
import {createLoads, type Load} from './pods.ts';

/** How a kubelet becomes silent. */
export const silences = ['killed', 'frozen'] as const;

/** Lease durations are configurable, and determine the renewal interval. */
const settings: Readonly<Record<(typeof silences)[number], KubeletSettings>> = {
	killed: {},
	frozen: {nodeLeaseDurationSeconds: 20},
};

/** The results for a silent kubelet. */
export type Silence = {readonly how: (typeof silences)[number]; readonly outcomes: readonly Outcome[]};

/** Saves it beside the scenarios' results. */
export function keepSilence(folder: string, silence: Silence): void {
	mkdirSync(folder, {recursive: true});
	writeFileSync(join(folder, `${silence.how}.json`), JSON.stringify(silence, null, '\t'));
}

/** Their names begin with their node's, as the judge requires. */
const pods: readonly Load[] = [
	{
		name: `${nodeName}-ten`,
		load: 'mem=10',
		tolerations: tolerate({operator: 'Exists', tolerationSeconds: 10}),
	},
	{
		name: `${nodeName}-twenty`,
		load: 'mem=10',
		tolerations: tolerate({operator: 'Exists', tolerationSeconds: 20}),
	},
	{
		name: `${nodeName}-hasty`,
		load: 'mem=10',
		tolerations: tolerate({operator: 'Exists', tolerationSeconds: 15}),
		graceSeconds: 5,
	},
	{name: `${nodeName}-patient`, load: 'mem=10', tolerations: tolerate({operator: 'Exists'})},
];
const doomed = pods.slice(0, 3).map(({name}) => `default/${name}`);
/** Several renewals of the lease. */
const settling = 25_000;
/** After the last deletion. */
const aftermath = 5000;

/** Silences the kubelet, so that no lease is renewed, and checks the predictions for its node and its pods. */
export async function judgeSilence(
	how: (typeof silences)[number],
	node: RealNode,
	{admin, recorder, controlPlane}: Cluster,
	plugin: Plugin,
): Promise<{checks: Check[]; outcomes: Outcome[]}> {
	await node.clear();
	await node.killKubelet();
	await node.startKubelet(settings[how]);
	await createLoads(admin, pods, node.image);
	const end = new AbortController();
	const followed = {...plugin, signal: AbortSignal.any([plugin.signal, end.signal])};
	const watched = new WatchedForecasts(followed);
	const asked = new Forecasts(followed);
	await sleep(settling);
	const at = Date.now();
	if (how === 'killed') await node.killKubelet();
	else node.freeze('SIGSTOP');
	say(`the kubelet is ${how}`);
	const asking = new AbortController();
	const collected = asked.collect(asking.signal);
	const isGone = (pod: string) => recorder.find(`pod/${pod}`, 'Terminating', at) !== undefined;
	await until(() => doomed.every(isGone), 'not all pods were deleted');
	await sleep(aftermath);
	asking.abort();
	await collected;
	end.abort();
	const changes = recorder.changes.filter((change) => change.at >= at && change.at < Date.now());
	const lost = lostTokens(controlPlane.controllerManagerLog);
	const rest = {changes, outages: [{at, nodes: [nodeName]}], endedAt: Date.now(), lostTokens: lost};
	if (how === 'killed') await node.startKubelet({});
	else node.freeze('SIGCONT');
	say('the kubelet is back');
	const evidence = {...rest, pods: asked.pods, nodes: asked.nodes};
	const steps = [...nodeSteps(evidence, 'unknown'), ...nodeSteps(evidence, 'noExecute')];
	const outcomes = [...steps, ...deletions(evidence)];
	const checks = [
		...outcomes.map(judgeOutcome),
		...judgeAll(evidence),
		...deletions({...evidence, pods: watched.pods}).map((deletion) =>
			judgeOutcome({...deletion, subject: `${deletion.subject} by -w`}),
		),
		{name: 'each call is answered', failures: [...asked.failures, ...watched.failures]},
	];
	return {checks: checks.map(({name, failures}) => ({name: `kubelet ${how}: ${name}`, failures})), outcomes};
}
