import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {parseArgs} from 'node:util';
import {ApiClient, mergePatch} from '../apiClient.ts';
import {type JsonItem, type PodForecast, readPod} from '../contract.ts';
import {lostTokens} from '../lostTokens.ts';
import {type PodObject, podName} from '../objects.ts';
import {report} from '../report.ts';
import {builtPlugin, runSession, type Session, say} from '../session.ts';
import {watchLines} from '../watchedForecasts.ts';
import {type DeedName, maintenance, play, prepare, type Stage} from './deeds.ts';
import {judgeMixed, type MixedEvidence, type SeenEnd} from './judge.ts';
import type {PodEnd} from './kubeletEnds.ts';
import {drawOutage} from './outage.ts';
import {endsIn, type JsonActor} from './truth.ts';

const {
	values: {plugin: file, seed},
} = parseArgs({
	options: {
		plugin: {type: 'string', default: builtPlugin},
		// The shortest of those in which a cloud deletes a Node.
		seed: {type: 'string', default: '3'},
	},
});

/** Two renewals: the client knows the kubelets then. */
const settling = 21_000;
/** What is not over by then is judged as it is. */
const patience = 130_000;
const personsTaints = [`+${maintenance}:NoExecute`, '+node.kubernetes.io/out-of-service:NoExecute'];
/** So much later than a taint is written its arrival may be recorded. */
const recording = 200;
/** For what is printed late. */
const aftermath = 5000;

const outage = drawOutage(Number(seed));
const controllers = ['replicaset-controller', 'job-controller'];
const flag = `--node-monitor-grace-period=${outage.gracePeriod}s`;
process.exit(
	await runSession(compare, file, {
		...{layout: outage.layout, podKinds: outage.podKinds, flags: [flag]},
		...{controllers, hasScheduler: true, auditsDeletions: true},
	}),
);

/** Plays the outage, and compares what was printed with what the API server's audit log tells. */
async function compare({cluster, processes, folder, signal}: Session): Promise<number> {
	const {controlPlane, fleet, recorder, admin} = cluster;
	const {deeds, dead} = outage;
	say(
		`seed ${seed}: ${deeds.map(({name, node}) => `${name} ${node}`).join(', ')}; dead ${dead.map(({node}) => node).join(' ')}`,
	);
	const machines = join(folder, 'machines');
	mkdirSync(machines);
	if (deeds.some(({name}) => name === 'cloud')) {
		for (const {name} of fleet.kubelets) {
			const spec = {providerID: `aws:///eu-west-1a/i-${name}`};
			await admin.request('PATCH', `/api/v1/nodes/${name}`, {spec}, mergePatch);
		}
		processes.start('cloud', [`--kubeconfig=${controlPlane.adminKubeconfig}`, `--machines=${machines}`]);
	}
	const clients = new Map<string, ApiClient>();
	const [announced, died] = [new Map<string, number>(), new Map<string, number>()];
	const [disturbed, ended]: [{at: number; node: string}[], PodEnd[]] = [[], []];
	const disturb = (node: string) => void disturbed.push({at: Date.now(), node});
	const stage: Stage = {
		as(userAgent) {
			const client = clients.get(userAgent) ?? new ApiClient(controlPlane.admin, userAgent);
			clients.set(userAgent, client);
			return client;
		},
		...{fleet, recorder, disturb},
		endMachine: (node) => writeFileSync(join(machines, node), ''),
		announce: (node) => void (announced.has(node) || announced.set(node, Date.now())),
		ended: (end) => void ended.push(end),
	};
	const [nodeOf, ownerOf] = [new Map<string, string>(), new Map<string, string>()];
	void admin.watch<OwnedPod>(
		'/api/v1/pods',
		({object: pod}) => {
			nodeOf.set(podName(pod), pod.spec.nodeName ?? '');
			for (const {kind, name} of pod.metadata.ownerReferences ?? [])
				ownerOf.set(podName(pod), `${kind} ${name}`);
		},
		signal,
	);
	for (const deed of deeds) await prepare(deed, admin);
	const [shown, seen, failures]: [PodForecast[], SeenEnd[], string[]] = [[], [], []];
	const plugin = {file, kubeconfig: controlPlane.viewerKubeconfig, signal};
	const fail = (what: string) => void failures.push(what);
	watchLines(
		plugin,
		['pods', '--all', flag],
		(item: JsonItem) => shown.push(readPod(item, Date.now())),
		fail,
	);
	watchLines(plugin, ['events', '--all', flag], (item: JsonDeletion) => seen.push(seenEnd(item)), fail);
	await sleep(settling);
	const zero = Date.now();
	say('the outage begins');
	await Promise.all([
		...deeds.map(async (deed) => {
			await play(deed, stage, zero);
			say(`${deed.name} ${deed.node}`);
		}),
		...dead.map(async ({at, node}) => {
			await sleep(at);
			fleet.stop([node]);
			died.set(node, Date.now());
			disturb(node);
		}),
	]);
	await untilOver(admin, downNodes(), zero + patience);
	await sleep(aftermath);
	for (const {object, at} of recorder.changes.filter(({what}) => what === 'Deleted')) {
		const node = object.replace('node/', '');
		if (!announced.has(node)) announced.set(node, at);
		disturbed.push({at, node});
	}
	// Nothing shows that the controller lost a token, until the taint is missing.
	for (const {zone, at} of lostTokens(controlPlane.controllerManagerLog)) disturbed.push({at, node: zone});
	const taintedAt = new Map(
		recorder.changes
			.filter(({what}) => personsTaints.includes(what))
			.map(({object, at}) => [object.replace('node/', ''), at - recording]),
	);
	const ends = endsIn(controlPlane, {
		...{nodeOf, ownerOf, ended, taintedAt},
		deeds: new Map<string, DeedName>(deeds.map(({name, node}) => [node, name])),
	}).filter(({at}) => at >= zero);
	const happened = {ends, announced, disturbed, taintedAt, died, endedAt: Date.now()};
	const evidence: MixedEvidence = {...happened, seen, shown};
	const {checks, tally} = judgeMixed(evidence);
	writeFileSync(
		join(folder, 'evidence.json'),
		JSON.stringify(
			{...evidence, zero, announced: [...announced], taintedAt: [...taintedAt], died: [...died]},
			null,
			'\t',
		),
	);
	const {others, named, known, predicted} = tally;
	say(
		`${ends.length} pods ended, ${others} by others: ${named} named; ${predicted} of ${known} that could be known predicted`,
	);
	return report([...checks, {name: 'all that is printed can be read', failures}]);
}

type OwnedPod = PodObject & {
	readonly metadata: {readonly ownerReferences?: readonly {readonly kind: string; readonly name: string}[]};
};

type JsonDeletion = {
	readonly metadata: {readonly namespace: string; readonly name: string};
	readonly deletedAt: string;
	readonly actor?: JsonActor;
	readonly isInside: boolean | null;
};

function seenEnd({metadata: {namespace, name}, deletedAt, actor, isInside}: JsonDeletion): SeenEnd {
	return {pod: `${namespace}/${name}`, at: Date.parse(deletedAt), actor, isInside};
}

/** The nodes that are down in the end. */
function downNodes(): readonly string[] {
	const {dead, deeds} = outage;
	const ended = deeds.filter(({name}) => ['cloud', 'outOfService', 'nodeDeletion'].includes(name));
	return [...dead, ...ended].map(({node}) => node);
}

/** Waits until no pod is left that is going to end: those of nodes that are gone, and those of silent ones that do not stay. */
async function untilOver(api: ApiClient, dead: readonly string[], limit: number): Promise<void> {
	while (Date.now() < limit) {
		const {items: pods} = await api.request<{items: readonly PodObject[]}>('GET', '/api/v1/pods');
		const {items: nodes} = await api.request<{items: readonly PodObject[]}>('GET', '/api/v1/nodes');
		const present = new Set(nodes.map(({metadata}) => metadata.name));
		const left = pods.filter(({metadata, spec: {nodeName = ''}}) => {
			if (metadata.deletionTimestamp || nodeName === '') return false;
			return !present.has(nodeName) || (dead.includes(nodeName) && !metadata.name.endsWith('-patient'));
		});
		if (left.length === 0) return;
		await sleep(1000);
	}
	say('not all that were to end have ended');
}
