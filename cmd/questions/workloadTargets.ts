import type {Related} from '../../src/core/model/workloads/related.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {ownerChainOf} from '../../src/impact/owners.ts';
import {UserError} from '../../src/text/userError.ts';
import {kindOf} from '../args/kinds.ts';

/** A workload that is named on the command line: its kind as the API writes it where that is known. */
export type NamedWorkload = {readonly kind: string; readonly name: string};

/** The other names that kubectl knows them by. */
const kinds: ReadonlyMap<string, string> = new Map(
	Object.entries({
		Deployment: ['deployment', 'deployments', 'deploy'],
		StatefulSet: ['statefulset', 'statefulsets', 'sts'],
		DaemonSet: ['daemonset', 'daemonsets', 'ds'],
		ReplicaSet: ['replicaset', 'replicasets', 'rs'],
		ReplicationController: ['replicationcontroller', 'replicationcontrollers', 'rc'],
		Job: ['job', 'jobs'],
		CronJob: ['cronjob', 'cronjobs', 'cj'],
	}).flatMap(([kind, names]) => names.map((name) => [name, kind] as const)),
);

/** Reads `deploy/web`, or `deploy web cart`: what is of no kind of ours is left to others. */
export function splitWorkloads(words: readonly string[]): {
	readonly workloads: readonly NamedWorkload[];
	readonly others: readonly string[];
} {
	const [first = '', ...rest] = words;
	const kind = kinds.get(first);
	if (kind && rest.length > 0 && !rest.some((word) => word.includes('/')))
		return {workloads: rest.map((name) => ({kind, name})), others: []};
	const workloads: NamedWorkload[] = [];
	const others: string[] = [];
	for (const word of words) {
		const [of = '', name = '', ...more] = word.split('/');
		const isOurs = name !== '' && more.length === 0 && kindOf(of) === undefined;
		if (isOurs) workloads.push({kind: kinds.get(of.toLowerCase()) ?? of, name});
		else others.push(word);
	}
	return {workloads, others};
}

/** Which pods belong to a workload, by anyone in their chain of owners. */
export function podsOfWorkload(
	{kind, name}: NamedWorkload,
	pods: readonly PodForecast[],
	related: Related,
): readonly PodForecast[] {
	const isIt = (one: {readonly kind: string; readonly name: string} | undefined) =>
		one !== undefined && one.name === name && one.kind.toLowerCase() === kind.toLowerCase();
	return pods.filter((pod) => {
		const {workload, owner} = ownerChainOf(pod, related);
		return isIt(workload) || isIt(owner) || isIt(pod.owner);
	});
}

/**
 * Complains of a workload that there is not.
 *
 * @param found its pods, of those that are read: of nodes in trouble
 * @throws UserError where it has none, and is not read either
 */
export function assertThere(
	{kind, name}: NamedWorkload,
	found: readonly PodForecast[],
	{controllers}: Related,
): void {
	const isRead = [...controllers.values()].some((one) => one.kind === kind && one.name === name);
	if (found.length > 0 || isRead) return;
	throw new UserError(
		`no pod of ${kind.toLowerCase()} ${JSON.stringify(name)} is on a node in trouble, and there may be no such ${kind.toLowerCase()}`,
		'choose its namespace with -n; what else is in trouble: kubectl evictwatch rescue',
	);
}
