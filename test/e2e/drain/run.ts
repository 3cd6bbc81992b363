import {execFile, spawnSync} from 'node:child_process';
import {setTimeout as sleep} from 'node:timers/promises';
import {parseArgs} from 'node:util';
import {mapWithConcurrency} from '../../../src/async/mapWithConcurrency.ts';
import {Random} from '../../../src/core/time/random.ts';
import {ask} from '../aftermath/prediction.ts';
import type {ApiClient, WatchEvent} from '../apiClient.ts';
import {FakeKubelet} from '../fakeKubelet.ts';
import {region} from '../fleet.ts';
import type {Check} from '../judge.ts';
import type {PodObject} from '../objects.ts';
import {report} from '../report.ts';
import {builtPlugin, runSession, type Session, say} from '../session.ts';
import {createCase, type DrainCase, drawCase, otherNode} from './cases.ts';
import {type DrainTruth, type JsonDrainedNode, judgeDrain} from './judge.ts';

const {
	values: {plugin: file, seed, cases: count},
} = parseArgs({
	options: {
		plugin: {type: 'string', default: builtPlugin},
		seed: {type: 'string', default: String(Math.floor(1e6 * Math.random()))},
		cases: {type: 'string', default: '24'},
	},
});

/** So many drains at a time. */
const atOnce = 4;
/** How long kubectl tries; it would ask again for pods that wait after 5 s. */
const patience = '4500ms';
/** How long the disruption controller may take to count all budgets. */
const countsWithin = 60_000;

if (spawnSync('kubectl', ['version', '--client']).status !== 0) {
	console.log('skipped: there is no kubectl');
	process.exit(0);
}
process.exit(
	await runSession(compare, file, {layout: {}, podKinds: {}, controllers: ['disruption-controller']}),
);

/** Drains a node of each drawn case with the kubectl of this machine, and compares that with what was said before. */
async function compare({cluster: {admin, controlPlane}, signal}: Session): Promise<number> {
	say(`seed ${seed}`);
	const random = new Random(Number(seed));
	const cases = Array.from({length: Number(count)}, (_, number) => drawCase(number, random));
	const names = [...cases.map(({node}) => node), otherNode];
	const kubelets = names.map((name) => new FakeKubelet(admin, name, region, 'a'));
	await Promise.all(kubelets.map((kubelet) => kubelet.register()));
	await Promise.all(kubelets.map((kubelet) => kubelet.start()));
	await mapWithConcurrency(cases, (one) => createCase(admin, one), atOnce);
	// They end what is deleted, and leave all else as it was drawn.
	const end = ({object: pod}: WatchEvent<PodObject>) => {
		const kubelet = kubelets.find(({name}) => name === pod.spec?.nodeName);
		if (pod.metadata.deletionTimestamp) void kubelet?.sync(pod).catch((error) => say(`${error}`));
	};
	void admin.watch<PodObject>('/api/v1/pods', end, signal);
	await untilCounted(admin);
	const drained = cases.map(({node}) => node);
	say(`${cases.length} cases, ${cases.flatMap(({pods}) => pods).length} pods: all budgets are counted`);
	const plugin = {file, kubeconfig: controlPlane.viewerKubeconfig, signal};
	const {nodes} = await ask<{nodes: readonly JsonDrainedNode[]}>(
		plugin,
		'what-if',
		'--drain',
		drained.join(','),
	);
	const toldOf = new Map(nodes.map((one) => [one.node, one]));
	const checks = await mapWithConcurrency(
		cases,
		async (one): Promise<Check> => {
			const told = toldOf.get(one.node);
			if (!told) return {name: one.node, failures: ['nothing was said of it']};
			return judgeDrain(told, await drain(admin, controlPlane.adminKubeconfig, one, told.refusedWithout));
		},
		atOnce,
	);
	for (const kubelet of kubelets) kubelet.stop();
	return report([...checks, proves(nodes)]);
}

/** Drains without the flags that are said to be needed, then with them. */
async function drain(
	api: ApiClient,
	kubeconfig: string,
	{node, namespace, pods}: DrainCase,
	flags: readonly string[],
): Promise<DrainTruth> {
	const run = (...more: readonly string[]) =>
		new Promise<{said: string; tookSeconds: number | undefined}>((resolve) => {
			const begun = performance.now();
			const args = [
				'drain',
				node,
				'--ignore-daemonsets',
				`--timeout=${patience}`,
				'--kubeconfig',
				kubeconfig,
				...more,
			];
			execFile('kubectl', args, (error, output, errors) => {
				const tookSeconds = error ? undefined : (performance.now() - begun) / 1000;
				resolve({said: output + errors, tookSeconds});
			});
		});
	const deleted = async () => {
		const {items} = await api.request<{items: readonly PodObject[]}>(
			'GET',
			`/api/v1/namespaces/${namespace}/pods`,
		);
		const living = new Set(items.flatMap(({metadata}) => (metadata.deletionTimestamp ? [] : metadata.name)));
		return pods.map(({name}) => name).filter((name) => !living.has(name));
	};
	const {said: refusal} = flags.length > 0 ? await run() : {said: ''};
	const deletedAtFirst = await deleted();
	const {said: errors, tookSeconds} = await run(...flags);
	return {refusal, deletedAtFirst, errors, tookSeconds, deleted: await deleted()};
}

type BudgetObject = {
	readonly status?: {
		readonly observedGeneration?: number;
		readonly conditions?: readonly {readonly reason?: string}[];
	};
};

/** Waits until every budget has been counted, and nothing changes any more. */
async function untilCounted(api: ApiClient): Promise<void> {
	let before = '';
	for (const deadline = Date.now() + countsWithin; Date.now() < deadline; await sleep(1500)) {
		const {items} = await api.request<{items: readonly BudgetObject[]}>(
			'GET',
			'/apis/policy/v1/poddisruptionbudgets',
		);
		const isCounted = items.every(
			({status}) =>
				status?.observedGeneration || status?.conditions?.some(({reason}) => reason === 'SyncFailed'),
		);
		const now = JSON.stringify(items.map(({status}) => status));
		if (isCounted && now === before) return;
		before = now;
	}
	throw new Error('the budgets were not counted in time');
}

/** Whether each fate of a pod, and each flag, was there: without them the suite would prove nothing. */
function proves(nodes: readonly JsonDrainedNode[]): Check {
	const pods = nodes.flatMap((one) => one.pods);
	const seen = new Set(pods.flatMap(({eviction, needs}) => [eviction, ...needs]));
	const wanted = ['AtOnce', 'SomeAtOnce', 'Waits', 'Error', 'Ignored', '--force', '--delete-emptydir-data'];
	return {
		name: 'every fate of a pod is among the cases',
		failures: wanted.filter((one) => !seen.has(one)).map((one) => `${one} is not`),
	};
}
