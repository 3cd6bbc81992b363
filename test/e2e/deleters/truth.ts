import {readFileSync} from 'node:fs';
import type {ControlPlane} from '../controlPlane.ts';
import type {DeedName} from './deeds.ts';
import type {PodEnd} from './kubeletEnds.ts';

/** Who ended a pod, as `events` prints it. */
export type JsonActor = {readonly kind: string; readonly by?: string};

/** The end of a pod. */
export type End = {
	/** `namespace/name`. */
	readonly pod: string;
	readonly at: number;
	readonly node: string;
	/** Undefined where this machine does not know who that is. */
	readonly actor: JsonActor | undefined;
};

type AuditLine = {
	readonly verb: string;
	readonly stage: string;
	readonly user: {readonly username: string};
	readonly userAgent?: string;
	readonly objectRef: {readonly resource: string; readonly namespace?: string; readonly name: string};
	readonly responseStatus?: {readonly code?: number};
	readonly requestReceivedTimestamp: string;
};

/** What is known of the nodes: who did something to each, and the nodes of pods. */
export type Known = {
	readonly deeds: ReadonlyMap<string, DeedName>;
	readonly nodeOf: ReadonlyMap<string, string>;
	readonly ownerOf: ReadonlyMap<string, string>;
	readonly ended: readonly PodEnd[];
	/** When a person tainted a node. */
	readonly taintedAt: ReadonlyMap<string, number>;
};

const account = 'system:serviceaccount:kube-system:';

/** All ends of pods in their order, by what the API server logged of who deleted them; a pod that its kubelet ended ended then. */
export function endsIn({auditLog}: ControlPlane, known: Known): readonly End[] {
	const lines = readFileSync(auditLog, 'utf8').trim().split('\n').filter(Boolean);
	const deletions = lines
		.map((line) => JSON.parse(line) as AuditLine)
		.filter(({verb, stage}) => stage === 'ResponseComplete' && (verb === 'delete' || verb === 'create'))
		.filter(({responseStatus: {code = 0} = {}}) => code >= 200 && code < 300)
		.map((line) => ({...line, at: Date.parse(line.requestReceivedTimestamp)}))
		.toSorted((a, b) => a.at - b.at);
	const nodesGone = new Map<string, string>();
	for (const {objectRef, user, userAgent = ''} of deletions)
		if (objectRef.resource === 'nodes' && !nodesGone.has(objectRef.name))
			nodesGone.set(objectRef.name, nameOf(user.username, userAgent));
	const ends = new Map<string, End>();
	for (const {pod, at, reason} of known.ended) {
		const actor = {kind: 'Kubelet', ...(reason === 'Terminated' && {by: 'the shutdown of its node'})};
		ends.set(pod, {pod, at, node: known.nodeOf.get(pod) ?? '', actor});
	}
	for (const {objectRef, user, userAgent = '', verb, at} of deletions) {
		if (objectRef.resource !== 'pods') continue;
		const pod = `${objectRef.namespace}/${objectRef.name}`;
		const node = known.nodeOf.get(pod) ?? '';
		if ((ends.get(pod)?.at ?? at + 1) <= at) continue;
		const who = nameOf(user.username, userAgent);
		ends.set(pod, {
			pod,
			at,
			node,
			actor: actorOf(who, {pod, node, at}, verb === 'create', nodesGone.get(node), known),
		});
	}
	return [...ends.values()].toSorted((a, b) => a.at - b.at);
}

const nameOf = (user: string, userAgent: string): string =>
	user.startsWith('system:') ? user.replace(account, '') : (userAgent.split('/')[0] ?? '');

const deletersOfNodes: Readonly<Record<string, string>> = {
	'cloud-controller-manager': "its cloud's controller",
	'cluster-autoscaler': 'the cluster autoscaler',
	karpenter: 'Karpenter',
};

function actorOf(
	who: string,
	{pod, node, at}: Omit<End, 'actor'>,
	isEviction: boolean,
	deleterOfNode: string | undefined,
	{deeds, ownerOf, taintedAt}: Known,
): JsonActor | undefined {
	const by = (name: string | undefined) => (name === undefined ? {} : {by: name});
	if (isEviction) {
		const deed = deeds.get(node);
		return {kind: 'EvictionAPI', ...by(deed === 'drain' ? 'a drain' : deletersOfNodes[who])};
	}
	switch (who) {
		case 'node-controller':
		case 'taint-eviction-controller': {
			// What tolerates no taint goes with the controllers' own, which come first.
			const isFirst = deeds.get(node) === 'outOfService' && pod.endsWith('-fragile');
			const isPersons = !isFirst && (taintedAt.get(node) ?? at + 1) <= at;
			return {kind: 'TaintEviction', ...(isPersons && {by: 'kubectl-taint'})};
		}
		case 'pod-garbage-collector':
			return {kind: 'PodGarbageCollection', ...by(deletersOfNodes[deleterOfNode ?? ''])};
		case 'replicaset-controller':
		case 'job-controller':
			return {kind: 'Owner', ...by(ownerOf.get(pod))};
		case 'system:kube-scheduler':
			return {kind: 'Scheduler'};
		case 'kubectl':
			return {kind: 'DeleteRequest'};
		default:
			return undefined;
	}
}
