import {expect, test} from 'vitest';
import {parseCommandLine} from '../../../cmd/commands/commandTable.ts';
import {explainSelection, feedOf, readOnce, selectionFor} from '../../../cmd/sources/reading.ts';
import type {Cluster} from '../../../src/cluster/cluster.ts';
import type {Selection} from '../../../src/cluster/transport/selection.ts';
import type {ClusterSnapshot, Problem} from '../../../src/core/model/clusterSnapshot.ts';
import type {Observation} from '../../../src/core/model/observation.ts';
import {now} from '../../print/forecasts.ts';

const forbidden = {reason: 'PodsForbidden', message: 'pods may not be listed'};
const everything: Selection = {pods: {type: 'all'}};
const oneNamespace: Selection = {pods: {type: 'namespace', namespace: 'shop'}};

/** A cluster that tells what was asked of it, and shows pods of all namespaces only where that is allowed. */
function aCluster({showsAll}: {showsAll: boolean}) {
	const asked: Selection[] = [];
	const problemsOf = ({pods}: Selection): readonly Problem[] =>
		pods.type === 'all' && !showsAll ? [forbidden] : [];
	const cluster: Pick<Cluster, 'snapshot' | 'watch'> = {
		snapshot: async (selection) => {
			asked.push(selection);
			return {...emptySnapshot, problems: problemsOf(selection)};
		},
		watch: async (selection, onChange, signal, onProblems) => {
			asked.push(selection);
			onProblems(problemsOf(selection));
			onChange([{type: 'nodeDeleted', name: selection.pods.type}], now);
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

test.for([
	{line: '', want: {type: 'chosen'}},
	{line: 'pods -A', want: {type: 'chosen'}},
	{line: 'pods --all', want: {type: 'all'}},
	{line: 'pods cart-0', want: {type: 'chosen', named: {namespace: 'shop', names: ['cart-0']}}},
	{line: 'nodes n1', want: {type: 'chosen'}},
	{line: 'zones --all', want: {type: 'chosen'}},
])('"$line" reads the pods that are $want.type', ({line, want}) => {
	const options = parseCommandLine(line.split(' ').filter(Boolean));
	const {chooser: _, ...pods} = {chooser: undefined, ...selectionFor(options, 'shop').pods};
	expect(pods).toEqual(want);
});

test('what is explained is read too: a pod in any namespace, a node that is well', () => {
	const {pods} = explainSelection([
		{kind: 'pod', name: 'cart-0'},
		{kind: 'node', name: 'n1'},
		{kind: 'zone', name: 'eu/a'},
	]);
	if (pods.type !== 'chosen') throw new Error(pods.type);
	expect(pods.named).toEqual({namespace: undefined, names: ['cart-0']});
	expect(pods.chooser.wanted(now)).toEqual(['n1']);
});

test('where pods of all namespaces may be read, once is enough', async () => {
	const {cluster, asked} = aCluster({showsAll: true});
	expect((await readOnce(cluster, everything, 'shop')).problems).toEqual([]);
	expect(asked).toEqual([everything]);
});

test('where they may not, one namespace is read, and that is said', async () => {
	const {cluster, asked} = aCluster({showsAll: false});
	expect((await readOnce(cluster, everything, 'shop')).problems).toMatchObject([
		{reason: 'OtherNamespacesForbidden'},
	]);
	expect(asked).toEqual([everything, oneNamespace]);
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
	const feed = feedOf(cluster, everything, given.namespace, (problems) => {
		reasons = problems.map(({reason}) => reason);
	});
	const observe = (observations: readonly Observation[]) =>
		void saw.push(...observations.map((observation) => ('name' in observation ? observation.name : '')));
	const done = feed({observe}, stop.signal);
	await new Promise((resolve) => setImmediate(resolve));
	stop.abort();
	await done;
	expect({saw, reasons}).toEqual({saw: given.saw, reasons: given.reasons});
});
