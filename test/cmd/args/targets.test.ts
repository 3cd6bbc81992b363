import {expect, test} from 'vitest';
import {readTargets} from '../../../cmd/args/targets.ts';
import {parseCommandLine} from '../../../cmd/commands/commandTable.ts';

const workload = (kind: string, name: string) => ({kind: 'workload', workload: {kind, name}});

test.for([
	{line: 'web', want: [{kind: 'pods', name: 'web'}]},
	{line: 'pod/web po/b', want: ['web', 'b'].map((name) => ({kind: 'pods', name}))},
	{line: 'pod pod/web b', want: ['web', 'b'].map((name) => ({kind: 'pods', name}))},
	{line: 'deploy/web', want: [workload('Deployment', 'web')]},
	{line: 'sts db cart', want: ['db', 'cart'].map((name) => workload('StatefulSet', name))},
	{line: 'ds/a job/b rs/c svc/d', want: ['DaemonSet a', 'Job b', 'ReplicaSet c', 'Service d'].map(ofWords)},
	{line: 'deployments.apps/web', want: [workload('Deployment', 'web')]},
	{line: 'Rollout/web pod/a', want: [workload('Rollout', 'web'), {kind: 'pods', name: 'a'}]},
	{
		line: 'zone/eu/a node/n1',
		want: [
			{kind: 'zones', name: 'eu/a'},
			{kind: 'nodes', name: 'n1'},
		],
	},
])('"$line" names $want', ({line, want}) => {
	expect(readTargets(line.split(' '))).toEqual(want);
});

function ofWords(words: string) {
	const [kind = '', name = ''] = words.split(' ');
	return workload(kind, name);
}

test.for([
	{line: 'node', error: 'which node? want node/NAME'},
	{line: 'pod/', error: 'which pod? want pod/NAME'},
	{line: 'pod/shop/cart-0', error: '"shop/cart-0" is not a pod name: want cart-0 -n shop'},
	{line: 'deploy/a/b', error: '"a/b" is not a deploy name: want deploy/b -n a'},
])('"$line" is refused', ({line, error}) => {
	expect(() => readTargets(line.split(' '))).toThrow(error);
});

test('workloads NAMESPACE/NAME is refused with what to type', () => {
	expect(() => readTargets(['shop/web'], 'Workload')).toThrow(
		'"shop/web" is not a workload name: want web -n shop',
	);
});

test.for([
	{line: 'get', want: [['pods', [], []]]},
	{line: 'get pods web', want: [['pods', ['web'], []]]},
	{
		line: 'get po,no web',
		want: [
			['pods', ['web'], []],
			['nodes', ['web'], []],
		],
	},
	{
		line: 'pods,nodes,zones',
		want: [
			['pods', [], []],
			['nodes', [], []],
			['zones', [], []],
		],
	},
	{line: 'pods deploy/web a', want: [['pods', ['a'], [workload('Deployment', 'web')]]]},
	{line: 'pods node/n1', want: [['pods', [], [{kind: 'nodes', name: 'n1'}]]]},
	{line: 'sts/db', want: [['pods', [], [workload('StatefulSet', 'db')]]]},
	{
		line: 'get node/n1 pod/a',
		want: [
			['nodes', ['n1'], []],
			['pods', ['a'], []],
		],
	},
])('"$line" lists $want', ({line, want}) => {
	const {lists} = parseCommandLine(line.split(' '));
	expect(lists.map(({kind, filter}) => [kind, filter.names, filter.owners])).toEqual(want);
});

test.for([
	'rescue',
	'explain a',
	'what-if',
	'settings',
	'pressure',
	'demo',
	'version',
	'record x',
	'nodes',
	'zones',
])('"%s" takes the scopes of kubectl, which may mean nothing to it', (line) => {
	const flags = ['-A', '-n', 'shop', ...(line === 'explain a' ? [] : ['-l', 'app=x'])];
	expect(parseCommandLine([...line.split(' '), ...flags]).flags.allNamespaces).toBe(true);
});

test('describe explains', () => {
	expect(parseCommandLine(['describe', 'pod/a'])).toMatchObject({command: 'explain', names: ['pod/a']});
});
