import {setTimeout as sleep} from 'node:timers/promises';
import {parseArgs} from 'node:util';
import {createBound} from '../boundVolume.ts';
import {publishDevice} from '../devices.ts';
import type {Check} from '../judge.ts';
import {report} from '../report.ts';
import {builtPlugin, runSession, type Session, say} from '../session.ts';
import {tolerate, usualPods} from '../workload.ts';
import {oneNamespace, type Scene, shippedRole, withoutLeases} from './checks.ts';
import {everyCommand} from './everyCommand.ts';
import {nodeRepair} from './nodeRepair.ts';

const deadNode = 'a-1';
/** Grace period, pass and queue of one node, and a reserve, in milliseconds. */
const patience = 120_000;

/** An additional kind: pods that tolerate the loss of their node for a long time. */
const podKinds = {...usualPods, slow: tolerate({operator: 'Exists', tolerationSeconds: 3600})};

const {
	values: {plugin},
} = parseArgs({options: {plugin: {type: 'string', default: builtPlugin}}});

process.exit(await runSession(compare, plugin, {layout: {a: 3, b: 3}, podKinds}));

/** Runs all commands as users with few rights, after a node has been tainted and before its pods are gone. */
async function compare({cluster, folder}: Session): Promise<number> {
	// Volumes are read only if there are claims, and device claims only if there are devices.
	const source = {nfs: {server: 'nfs.example', path: '/'}};
	await createBound(cluster.admin, 'shop', {name: 'shared', source, mode: 'ReadWriteMany'});
	await publishDevice(cluster.admin, 'b-1');
	cluster.fleet.stop([deadNode]);
	say(`${deadNode} dead`);
	const taint = '+node.kubernetes.io/unreachable:NoExecute';
	for (
		const deadline = Date.now() + patience;
		cluster.recorder.find(`node/${deadNode}`, taint) === undefined;
		await sleep(200)
	) {
		if (Date.now() > deadline) throw new Error(`${deadNode} was not tainted in time`);
	}
	say(`${deadNode} tainted`);
	const scene: Scene = {plugin, cluster, folder, deadNode};
	const checks: Check[] = [];
	for (const check of [oneNamespace, withoutLeases, shippedRole, everyCommand, nodeRepair]) {
		checks.push(...(await check(scene)));
		say(`${check.name}: done`);
	}
	return report(checks);
}
