import {expect, test} from 'vitest';
import type {Cluster} from '../../src/cluster/cluster.ts';
import type {Selection} from '../../src/cluster/transport/selection.ts';
import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import {batch, type ObservationSink} from '../../src/core/model/observation.ts';
import type {Problem} from '../../src/core/model/problem.ts';
import {hidesPods} from '../../src/core/model/problem.ts';
import type {PressureNews} from '../../src/core/nodepressure/pressureLook.ts';
import {clusterSource, readOnce} from '../../src/session/clusterSource.ts';
import {now} from '../print/forecasts.ts';

const forbidden = {reason: 'PodsForbidden', message: 'pods may not be listed'};
const everything: Selection = {pods: {type: 'all'}};
const oneNamespace: Selection = {pods: {type: 'namespace', namespace: 'shop'}};

/** A cluster that records its requests, and returns pods of all namespaces only if that is allowed. */
function aCluster({showsAll}: {showsAll: boolean}) {
	const asked: Selection[] = [];
	const problemsOf = ({pods}: Selection): readonly Problem[] =>
		pods.type === 'all' && !showsAll ? [forbidden] : [];
	const cluster: Pick<Cluster, 'snapshot' | 'watch' | 'watchPressure'> = {
		snapshot: async (selection) => {
			asked.push(selection);
			return {...emptySnapshot, problems: problemsOf(selection)};
		},
		watch: async (selection, sink, signal) => {
			asked.push(selection);
			const {refusals = [], notes = []} = selection;
			const problems = [...problemsOf(selection), ...notes];
			if (problems.some(({reason}) => refusals.includes(reason))) return true;
			sink.push({type: 'problems', at: now, problems});
			sink.push(batch([{type: 'nodeDeleted', name: selection.pods.type}], now));
			if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
			return false;
		},
		watchPressure: async (chooser, sink, signal) => {
			const news = {type: 'chosen', nodes: chooser.wanted(now), problems: []} as const;
			sink.push({type: 'pressure', at: now, news});
			if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
		},
	};
	return {cluster, asked};
}

const emptySnapshot: ClusterSnapshot = {
	observedAt: now,
	source: 'cluster',
	nodes: [],
	leases: [],
	pods: [],
	problems: [],
};

test('where pods of all namespaces may be read, once is enough', async () => {
	const {cluster, asked} = aCluster({showsAll: true});
	expect((await readOnce(cluster, everything, {namespace: 'shop'})).problems).toEqual([]);
	expect(asked).toEqual([everything]);
});

test('where they may not, one namespace is read, and that is said', async () => {
	const {cluster, asked} = aCluster({showsAll: false});
	const {problems} = await readOnce(cluster, everything, {namespace: 'shop'});
	expect(problems).toMatchObject([{reason: 'OtherNamespacesForbidden'}]);
	expect(problems.some(hidesPods)).toBe(true);
	expect(asked).toEqual([everything, oneNamespace]);
});

test('what falls back still goes by the release of the cluster', async () => {
	const {cluster, asked} = aCluster({showsAll: false});
	await readOnce(cluster, {...everything, kubernetesVersion: 'v1.16.0'}, {namespace: 'shop'});
	expect(asked).toEqual([everything, oneNamespace].map((one) => ({...one, kubernetesVersion: 'v1.16.0'})));
});

test('where all namespaces were asked for, there is nothing to fall back on', async () => {
	const {cluster, asked} = aCluster({showsAll: false});
	expect((await readOnce(cluster, everything, undefined)).problems).toEqual([forbidden]);
	expect(asked).toEqual([everything]);
});

test.for([
	{name: 'all', showsAll: true, namespace: 'shop', saw: ['all'], reasons: []},
	{
		name: 'one namespace',
		showsAll: false,
		namespace: 'shop',
		saw: ['namespace'],
		reasons: ['OtherNamespacesForbidden'],
	},
	{name: 'what there is', showsAll: false, namespace: undefined, saw: ['all'], reasons: ['PodsForbidden']},
])('a watch follows $name where pods of all namespaces may be read: $showsAll', async (given) => {
	const {cluster} = aCluster(given);
	const stop = new AbortController();
	const saw: string[] = [];
	let reasons: readonly string[] = [];
	const source = clusterSource(
		cluster,
		everything,
		given.namespace === undefined ? undefined : {namespace: given.namespace},
	);
	const sink: ObservationSink = {
		push: (entry) => {
			if (entry.type === 'problems') reasons = entry.problems.map(({reason}) => reason);
			if (entry.type !== 'batch') return;
			saw.push(...entry.observations.map((one) => ('name' in one ? one.name : '')));
		},
	};
	const done = source.run(sink, stop.signal);
	await new Promise((resolve) => setImmediate(resolve));
	stop.abort();
	await done;
	expect({saw, reasons}).toEqual({saw: given.saw, reasons: given.reasons});
});

test('kubelets are asked beside the watch where somebody chooses them, and no longer than it goes on', async () => {
	const {cluster} = aCluster({showsAll: true});
	const stop = new AbortController();
	const news: PressureNews[] = [];
	const sink: ObservationSink = {
		push: (entry) => {
			if (entry.type === 'batch') stop.abort();
			else if (entry.type === 'pressure') news.push(entry.news);
		},
	};
	await clusterSource(cluster, everything, undefined, {wanted: () => ['n1']}).run(sink, stop.signal);
	expect(news).toEqual([{type: 'chosen', nodes: ['n1'], problems: []}]);
});
