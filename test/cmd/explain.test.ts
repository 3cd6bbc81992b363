import {expect, test} from 'vitest';
import {readTargets} from '../../cmd/args/targets.ts';
import {parseCommandLine} from '../../cmd/commands/commandTable.ts';
import {explain, explainScene} from '../../cmd/questions/explainAction.ts';
import type {AskedScene} from '../../cmd/sources/look.ts';
import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import {unseenControlPlane} from '../../src/core/model/controlPlane.ts';
import {nothingRelated} from '../../src/core/model/workloads/related.ts';
import {second} from '../../src/core/time/instant.ts';
import {lookOnce} from '../../src/session/lookOnce.ts';
import {nothingPressed} from '../../src/session/pressureStage.ts';
import {aLease, aNode, aPod, inZone} from '../support/builders.ts';
import {printedBy} from './printed.ts';
import {recordingTerminal} from './recordingTerminal.ts';

const now = 100 * second;
const pods = [aPod('web'), aPod('web', {namespace: 'bank', nodeName: 'n2'}), aPod('cart')];

function scene(namespace?: string, fields: Partial<ClusterSnapshot> = {}): AskedScene {
	const look = lookOnce(
		{
			observedAt: now,
			source: 'file',
			kubernetesVersion: 'v1.36.3',
			nodes: [aNode('n1', {labels: inZone('a')}), aNode('n2')],
			leases: [aLease('n1', now), aLease('n2', now)],
			pods,
			problems: [{reason: 'LeasesForbidden', message: 'leases may not be read'}],
			...fields,
		},
		{
			...{flags: {}, versionFlag: undefined, serverVersion: 'v1.36.3'},
			controlPlane: unseenControlPlane('hidden'),
		},
	);
	const [related, pressure] = [async () => nothingRelated, async () => nothingPressed];
	const absence = async () => '';
	return {...look, namespace, related, pressure, absence};
}

async function run(line: string, of: AskedScene) {
	const options = parseCommandLine(`explain ${line}`.split(' '));
	return printedBy((terminal) => explainScene(readTargets(options.names), {...of, options, terminal}));
}

test.for([
	{line: 'explain pod/web -w', error: 'unknown flag: --watch; it belongs to pods, nodes, zones'},
	{
		line: 'status -w',
		error: 'replay; to watch an outage on one page, open the dashboard: "kubectl evictwatch"',
	},
	{line: 'explain', error: 'explain what?'},
])('"$line" is an error', async ({line, error}) => {
	await expect(async () => explain(parseCommandLine(line.split(' ')), recordingTerminal())).rejects.toThrow(
		error,
	);
});

test('several targets are explained in one text', async () => {
	const {out, err, exitCode} = await run('pod/web node/n1 zone/eu/a', scene('shop'));
	expect(out.match(/^(pod|node|zone)\/.*$/gm)).toEqual([
		'pod/web in namespace shop: Safe',
		'node/n1: Healthy',
		'zone/eu/a: Normal',
	]);
	// Without leases a node that seems well may be silent.
	expect({exitCode, err}).toEqual({
		exitCode: 1,
		err: 'Warning: LeasesForbidden: leases may not be read\nAs leases are not seen, no evictions are known.\n',
	});
});

test('in a dump without a chosen namespace all pods of a name are meant', async () => {
	const {out} = await run('pod/web', scene());
	expect(out.match(/^pod\/.*$/gm)).toEqual([
		'pod/web in namespace shop: Safe',
		'pod/web in namespace bank: Safe',
	]);
});

test('what does not exist is an error, and the others are explained', async () => {
	const {out, err, exitCode} = await run(
		'pod/web pod/cart node/x\u001b zone/eu/z -n bank -o json',
		scene('bank'),
	);
	expect(exitCode).toBe(1);
	expect(JSON.parse(out).items).toMatchObject([{target: {kind: 'pod', namespace: 'bank', name: 'web'}}]);
	expect(err).toBe(
		'error: pod "cart" not found in namespace bank; there is one in shop (choose its namespace with -n shop)\n' +
			'error: node "x\\u001b" not found (see `kubectl evictwatch nodes`)\n' +
			'error: zone "eu/z" not found (see `kubectl evictwatch zones`)\n',
	);
});

test('a node that is named as a pod is told of, and a zone needs no region', async () => {
	const {err, out} = await run('n1 a zone/a --context prod', scene('bank'));
	expect(err).toContain(
		'error: pod "n1" not found in namespace bank; there is a node n1: kubectl evictwatch explain node/n1 --context prod\n' +
			'error: pod "a" not found in namespace bank; there is a zone eu/a: kubectl evictwatch explain zone/eu/a --context prod\n',
	);
	expect(out).toContain('zone/eu/a: ');
});

test('JSON and YAML', async () => {
	const {out} = await run('node/n1 -o json', scene());
	expect(JSON.parse(out)).toMatchObject({kind: 'ExplanationList', metadata: {source: 'file'}});
	expect((await run('node/n1 -o yaml', scene())).out).toMatch(/^apiVersion: evictwatch.dev\/v1\nitems:\n/);
});

test('of a pod whose namespace no flag gives, the only one of its name is meant', async () => {
	const found = await run('pod/cart', scene('bank'));
	expect(found).toMatchObject({
		exitCode: 1,
		out: expect.stringContaining('pod/cart in namespace shop: Safe'),
	});
	expect(found.err).toContain('pod cart is in namespace shop\n');
	const several = await run('pod/web', scene('default'));
	expect(several).toMatchObject({
		...{exitCode: 1, out: ''},
		err: expect.stringContaining(
			'not found in namespace default; there is one in shop, bank (choose its namespace with -n)\n',
		),
	});
});

test('so is a workload; pods that only labels choose are those of all namespaces', async () => {
	const owner = {kind: 'StatefulSet', name: 'db', uid: 'db'};
	const db = aPod('db-0', {namespace: 'bank', nodeName: 'n1', labels: {app: 'db'}, owner});
	const leases = [aLease('n1', now - 30 * second), aLease('n2', now)];
	const of = scene('shop', {leases, pods: [...pods, db]});
	const named = await run('sts/db', of);
	expect(named.out).toMatch(
		/^statefulset\/db in namespace bank: 1 will be evicted; next in 0s-1m37s\s\(00:01:40Z\S+\)\.\n\npod\/db-0 in namespace bank: /,
	);
	expect(named.err).toContain('statefulset db is in namespace bank\n');
	expect((await run('-l app=db', of)).out).toContain('pod/db-0 in namespace bank: ');
	expect((await run('-l app=db -n shop', of)).out).toBe('');
});
