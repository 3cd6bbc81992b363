import {setTimeout as sleep} from 'node:timers/promises';
import type {Cluster} from './cluster.ts';
import {devicePod, publishDevice, taintDevice, usesDevice} from './devices.ts';
import type {Forecasts} from './forecasts.ts';
import type {Outage} from './judge.ts';
import {doomedPods} from './workload.ts';

/** Two renewals and two passes of the controller manager: all timers run then. */
const settling = 20_000;
/** The maximum random delay of each failure: everything else here is synchronized with the controller's passes. */
const offbeat = 10_000;
/** Grace period, pass, queue of three nodes, toleration and a reserve: 50 + 5 + 30 + 40 s. */
const patience = 180_000;
/** From the taint to the node's return: before the pods with a toleration of 20 s are deleted. */
const rescue = 8000;
/** After the last due deletion, to observe deletions that must not come. */
const aftermath = 10_000;

/** The node whose device breaks while the node is healthy. */
export const deviceNode = 'c-2';

type Say = (line: string) => void;

/**
 * One node fails. Afterwards a whole zone fails, and in another zone a node, which comes back in time for most of its pods.
 * Forecasts are collected from each failure on.
 */
export async function runScenario(
	cluster: Cluster,
	forecasts: Forecasts | undefined,
	say: Say,
): Promise<Outage[]> {
	say(`a healthy cluster, for ${settling / 1000} s`);
	await sleep(settling);
	await forecasts?.collectOnce();
	const first = await watched(forecasts, [
		() => dieForGood(cluster, ['a-1'], say),
		() => breakDevice(cluster, deviceNode, say),
	]);
	const second = await watched(forecasts, [
		() => dieForGood(cluster, cluster.fleet.namesIn('b'), say),
		() => dieAndReturn(cluster, 'c-1', say),
	]);
	return [...first, ...second];
}

/** Runs outages in parallel while forecasts are collected. */
async function watched(
	forecasts: Forecasts | undefined,
	outages: (() => Promise<Outage | undefined>)[],
): Promise<Outage[]> {
	await sleep(offbeat * Math.random());
	const end = new AbortController();
	const collected = forecasts?.collect(end.signal);
	const over = await Promise.all(outages.map((outage) => outage()));
	await sleep(aftermath);
	end.abort();
	await collected;
	return over.filter((one) => one !== undefined);
}

async function dieForGood({fleet, recorder}: Cluster, nodes: readonly string[], say: Say): Promise<Outage> {
	const outage = {at: Date.now(), nodes};
	fleet.stop(nodes);
	say(`${nodes.join(', ')} dead`);
	const pods = doomedPods(outage);
	const isGone = (pod: string) => recorder.find(`pod/${pod}`, 'Terminating') !== undefined;
	await until(() => pods.every(isGone));
	say(`${pods.filter(isGone).length} of ${pods.length} pods of ${nodes.join(', ')} deleted`);
	return outage;
}

/** Taints a device of a healthy node; its pod is deleted when its claim no longer tolerates the taint. */
async function breakDevice({admin, recorder}: Cluster, node: string, say: Say): Promise<undefined> {
	await publishDevice(admin, node);
	await usesDevice(admin, node);
	await taintDevice(admin, node);
	say(`a device of ${node} tainted`);
	await until(() => recorder.find(`pod/${devicePod}`, 'Terminating') !== undefined);
	say(`${devicePod} deleted`);
}

async function dieAndReturn({fleet, recorder}: Cluster, node: string, say: Say): Promise<Outage> {
	const at = Date.now();
	fleet.stop([node]);
	say(`${node} dead`);
	const taint = '+node.kubernetes.io/unreachable:NoExecute';
	await until(() => recorder.find(`node/${node}`, taint, at) !== undefined);
	await sleep(rescue);
	await fleet.start([node]);
	say(`${node} back`);
	return {at, nodes: [node], backAt: Date.now()};
}

/** Waits for a condition up to a limit; the judge handles what does not come. */
async function until(isTrue: () => boolean): Promise<void> {
	for (const deadline = Date.now() + patience; !isTrue() && Date.now() < deadline; ) await sleep(200);
}
