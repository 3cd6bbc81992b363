import {setTimeout as sleep} from 'node:timers/promises';
import {mergePatch} from '../apiClient.ts';
import type {Cluster} from '../cluster.ts';
import type {Check} from '../judge.ts';
import type {Plugin} from '../plugin.ts';
import {say} from '../session.ts';
import {deadZone} from './names.ts';
import {ask, type JsonWhatIf} from './prediction.ts';
import type {SeenPod, Truth} from './truth.ts';

const [outOfService, deleted] = [`${deadZone}-1`, `${deadZone}-2`];
/** The pod garbage collector runs every 20 s. */
const forced = 25_000;
/** It notices that the node is missing within 20 s, waits 40 s, and deletes within another 20 s. */
const collected = 85_000;
/** For the controllers that recreate pods. */
const aftermath = 10_000;

/**
 * Removes stuck pods: one failed node gets the out-of-service taint, another is deleted. Compares the predictions for both with
 * what happens.
 */
export async function judgeLeaving(plugin: Plugin, {admin}: Cluster, truth: Truth): Promise<Check[]> {
	const preview = await ask<JsonWhatIf>(plugin, 'what-if', '--out-of-service', outOfService);
	const loss = await ask<JsonWhatIf>(plugin, 'what-if', '--delete-node', deleted);
	const there = [...truth.pods.values()].filter(({goneAt}) => goneAt === undefined);
	const asItWas = there.map((pod) => ({...pod}));
	const at = Date.now();
	const taints = [{key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute'}];
	const path = `/api/v1/nodes/${outOfService}`;
	const before = await admin.request<{spec: {taints?: object[]}}>('GET', path);
	await admin.request(
		'PATCH',
		path,
		{spec: {taints: [...(before.spec.taints ?? []), ...taints]}},
		mergePatch,
	);
	await admin.request('DELETE', `/api/v1/nodes/${deleted}`);
	say(`${outOfService} out of service, ${deleted} deleted`);
	await sleep(collected + aftermath);
	const on = (node: string) => there.filter((pod) => pod.node === node);
	return [
		previewed(
			preview,
			asItWas.filter(({node}) => node === outOfService),
		),
		gone('out of service', on(outOfService), at, forced),
		gone('once its node is deleted', on(deleted), at, collected),
		saidAtAll(loss, on(deleted)),
		madeAnew([...on(outOfService), ...on(deleted)], truth),
	];
}

function previewed({outOfService: [predicted]}: JsonWhatIf, pods: readonly SeenPod[]): Check {
	const names = (list: readonly {readonly name: string}[] = []) => list.map(({name}) => name).toSorted();
	const of = (isCounted: (pod: SeenPod) => boolean) =>
		names(pods.filter(isCounted).map(({name}) => ({name: name.split('/')[1] ?? name})));
	const failures = [
		...differ(
			'deleted',
			names(predicted?.deleted),
			of(({terminatingAt}) => terminatingAt === undefined),
		),
		...differ(
			'terminating',
			names(predicted?.terminating),
			of(({terminatingAt}) => terminatingAt !== undefined),
		),
	];
	return {name: 'the preview of out-of-service names its pods', failures};
}

const differ = (what: string, predicted: readonly string[], real: readonly string[]): readonly string[] =>
	predicted.join() === real.join() ? [] : [`${what}: ${predicted.join(' ')} was said, is ${real.join(' ')}`];

function gone(what: string, pods: readonly SeenPod[], since: number, within: number): Check {
	const failures = pods.flatMap(({name, goneAt}) =>
		goneAt === undefined
			? [`${name} is still there`]
			: goneAt - since > within
				? [`${name} went ${((goneAt - since) / 1000).toFixed(1)} s later`]
				: [],
	);
	return {name: `stuck pods go: ${what}`, failures: pods.length > 0 ? failures : ['there were none']};
}

function saidAtAll({pods}: JsonWhatIf, real: readonly SeenPod[]): Check {
	const failures = real.flatMap(({uid, name}) => {
		const predicted = pods.find(({metadata}) => metadata.uid === uid);
		return predicted ? [] : [`nothing was said of ${name}`];
	});
	return {name: 'a deleted node: all its pods are spoken of', failures};
}

/** Once its old pod is gone, the StatefulSet recreates it, and the scheduler finds a node for it. */
function madeAnew(pods: readonly SeenPod[], truth: Truth): Check {
	const waited = pods.filter(({app}) => app === 'db');
	const failures = waited.flatMap(({name, uid}) => {
		const again = truth.podsOf('db').find((pod) => pod.name === name && pod.uid !== uid);
		return again?.node ? [] : [`${name} is not there again`];
	});
	return {
		name: 'a StatefulSet goes on once its pod is gone',
		failures: waited.length > 0 ? failures : ['none waited'],
	};
}
