import {writeFileSync} from 'node:fs';
import {setTimeout as sleep} from 'node:timers/promises';
import {parseArgs} from 'node:util';
import {ask, type JsonPod, type JsonWhatIf, sideOf} from '../aftermath/prediction.ts';
import {Truth} from '../aftermath/truth.ts';
import {type ApiClient, mergePatch, unless} from '../apiClient.ts';
import {createBound} from '../boundVolume.ts';
import {startAttacher} from '../fakeKubelet.ts';
import {report} from '../report.ts';
import {builtPlugin, runSession, type Session, say} from '../session.ts';
import {type Finding, judgeAgain, type Played, type Said} from './judge.ts';
import {type Deed, drawOutage, layout, namespace} from './outage.ts';

const {
	values: {plugin: file, seed, evidence},
} = parseArgs({
	options: {
		plugin: {type: 'string', default: builtPlugin},
		seed: {type: 'string', default: '7'},
		evidence: {type: 'string'},
	},
});

const controllers = [
	...['replicaset', 'deployment', 'statefulset', 'daemonset', 'job'].map((name) => `${name}-controller`),
	'persistentvolume-attach-detach-controller',
];

/** When what is said is read, in milliseconds after the nodes died. */
const silence = 24_000;
const evictions = 85_000;
/** All that tolerated it for a while is deleted by then: 50 + 5 + 40 + 40 s. */
const deedsAt = 140_000;
/** So long after that the last are waited for: pod garbage collection, and starts. */
const patience = 115_000;
/** Six minutes from when the volumes' pods are gone, and a start. */
const detached = 425_000;

const deedOf: Readonly<
	Record<Exclude<Deed, 'none'>, (api: ApiClient, node: string, start: () => Promise<void>) => Promise<void>>
> = {
	async outOfService(api, node) {
		const path = `/api/v1/nodes/${node}`;
		const {spec} = await api.request<{spec: {taints?: object[]}}>('GET', path);
		const taint = {key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute'};
		await api.request('PATCH', path, {spec: {taints: [...(spec.taints ?? []), taint]}}, mergePatch);
	},
	async delete(api, node) {
		await api.request('DELETE', `/api/v1/nodes/${node}`);
	},
	return: (_, __, start) => start(),
};

const outage = drawOutage(Number(seed));
process.exit(await runSession(compare, file, {podKinds: {}, controllers, hasScheduler: true, layout}));

/** Plays the outage, asks at several times when pods are ready again, and compares that with when they are. */
async function compare({cluster, signal}: Session): Promise<number> {
	const {admin, fleet, controlPlane} = cluster;
	const {dead, deeds, drawn} = outage;
	say(`seed ${seed}: ${deeds.map(({node, deed}) => `${node} ${deed}`).join(', ')}`);
	for (const [name, words] of Object.entries(drawn)) say(`${name}: ${words}`);
	const plugin = {file, kubeconfig: controlPlane.viewerKubeconfig, signal};
	const truth = new Truth();
	truth.start(admin, namespace, []);
	startAttacher(admin, fleet.kubelets, signal);
	await prepare(admin);
	say(`${await untilSteady(truth)} pods run`);
	const said: Said[] = [];
	const died = Date.now();
	fleet.stop(dead);
	const question = ['what-if', ...dead.flatMap((node) => ['--node-down', node])];
	const askedAt = Date.now();
	const atOnce = sideOf('at once', await ask<JsonWhatIf>(plugin, ...question), 'after');
	said.push({name: atOnce.name, askedAt, pods: atOnce.pods});
	const askPods = async (name: string) => {
		const at = Date.now();
		const {items} = await ask<{items: readonly JsonPod[]}>(plugin, 'pods', '-A');
		said.push({name, askedAt: at, pods: items});
	};
	await sleep(died + silence - Date.now());
	await askPods('once silent');
	await sleep(died + evictions - Date.now());
	await askPods('among evictions');
	await sleep(died + deedsAt - Date.now());
	const deedAt = new Map<string, number>();
	for (const {node, deed} of deeds) {
		if (deed === 'none') continue;
		deedAt.set(node, Date.now());
		await deedOf[deed](admin, node, () => fleet.start([node]));
	}
	await sleep(2000);
	await askPods('after deeds');
	await sleep(outage.isLong ? died + detached - Date.now() : patience);
	truth.end();
	const pods = [...truth.pods.values()];
	const played: Played = {diedAt: died, endedAt: Date.now(), dead, deedAt, pods};
	if (evidence !== undefined)
		writeFileSync(evidence, JSON.stringify({seed, drawn, said, ...played, deedAt: [...deedAt]}));
	const findings = said.flatMap((one) => judgeAgain(one, played));
	tell(findings);
	const wrong = findings.filter(({result}) => ['before', 'after', 'notNever'].includes(result));
	return report([
		{
			name: 'pods are ready again as it was said',
			failures: wrong.map(({question, pod, result, text}) => `${question}: ${pod} ${result}: ${text}`),
		},
		{
			name: 'something is proved',
			failures: findings.length > 20 ? [] : [`only ${findings.length} forecasts`],
		},
	]);
}

/** Counts of each result, by question; and of pods by the first question that tells of them. */
function tell(findings: readonly Finding[]): void {
	for (const [question, ones] of Map.groupBy(findings, (one) => one.question)) {
		const counts = [...Map.groupBy(ones, ({result}) => result)].map(
			([result, {length}]) => `${result} ${length}`,
		);
		say(`RESULT ${question}: ${counts.join(', ')}`);
	}
}

async function prepare(api: ApiClient): Promise<void> {
	await unless(409, api.request('POST', '/api/v1/namespaces', {metadata: {name: namespace}}));
	for (const volume of outage.volumes) await createBound(api, namespace, volume);
	for (const {path, body} of outage.objects) await api.request('POST', path, body);
}

/** Waits until no more pods become ready. */
async function untilSteady(truth: Truth): Promise<number> {
	let [last, since] = [-1, Date.now()];
	for (const deadline = Date.now() + 200_000; Date.now() < deadline; await sleep(500)) {
		const count = truth.readyPods;
		if (count !== last) [last, since] = [count, Date.now()];
		if (count > 0 && count === truth.pods.size && Date.now() - since > 5000) return count;
	}
	throw new Error(`only ${last} of ${truth.pods.size} pods became ready in time`);
}
