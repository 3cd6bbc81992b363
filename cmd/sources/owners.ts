import {unique} from '../../src/core/collections/unique.ts';
import {nothingRelated, type Related, type RelatedQuery} from '../../src/core/model/workloads/related.ts';
import {hasLabels} from '../../src/core/model/workloads/selects.ts';
import {isZoneNamed} from '../../src/core/model/zone.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {ownerChainOf} from '../../src/impact/owners.ts';
import {UserError} from '../../src/text/userError.ts';
import {anyWorkload, type NamedTarget, type NamedWorkload} from '../args/targets.ts';
import {suggestionFor} from './notFound.ts';

/** The kinds to read to find the owners of pods. */
const ownerKinds: Readonly<Record<string, readonly string[]>> = {
	Deployment: ['ReplicaSet', 'Deployment'],
	CronJob: ['Job'],
	Service: [],
	[anyWorkload]: ['ReplicaSet', 'Deployment', 'StatefulSet', 'DaemonSet', 'Job'],
};

const workloadsOf = (owners: readonly NamedTarget[]): readonly NamedWorkload[] =>
	owners.flatMap((one) => (one.kind === 'workload' ? one.workload : []));

/** Reads what links pods to the named workloads; reads nothing if none is named. @param namespace undefined for all */
export async function relatedOf(
	owners: readonly NamedTarget[],
	namespace: string | undefined,
	read: (query: RelatedQuery) => Promise<Related>,
): Promise<Related> {
	const workloads = workloadsOf(owners);
	if (workloads.length === 0) return nothingRelated;
	const kinds = workloads.flatMap(({kind}) => ownerKinds[kind] ?? [kind]);
	// Kept above any limit, so that pods on nodes are not read.
	const nodeCount = Number.POSITIVE_INFINITY;
	return read({namespaces: new Set([namespace ?? '']), ownerKinds: new Set(kinds), nodeCount});
}

/**
 * Fails for a workload that does not exist.
 *
 * @param namespace undefined for all
 * @param pods the pods that were read: those of nodes in trouble
 * @throws UserError if it owns no pod and cannot be read either
 */
export function assertThere(
	owners: readonly NamedTarget[],
	namespace: string | undefined,
	pods: readonly PodForecast[],
	{controllers, services}: Related,
) {
	const related = {...nothingRelated, controllers, services};
	for (const workload of workloadsOf(owners)) {
		const elsewhere = namespacesElsewhere(workload, namespace, pods, related);
		if (elsewhere !== undefined) throw unknownWorkload(workload, namespace, pods, related);
	}
}

/** The error for an unknown workload, with a suggestion. */
function unknownWorkload(
	workload: NamedWorkload,
	namespace: string | undefined,
	pods: readonly PodForecast[],
	related: Related,
): UserError {
	const [kind, name] = [workload.kind.toLowerCase(), workload.name];
	const owned = pods.flatMap((pod) => {
		const chain = ownerChainOf(pod, related);
		return [chain.workload, chain.owner, pod.owner].flatMap((one) =>
			one && one.kind !== 'Node' ? {...one, namespace: pod.namespace} : [],
		);
	});
	const services = related.services.map((one) => ({...one, kind: 'Service'}));
	const known = [...owned, ...related.controllers.values(), ...services].map((one) => ({
		kind: one.kind.toLowerCase(),
		name: one.name,
		namespace: one.namespace,
	}));
	const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
	const suggestion = suggestionFor({kind, name}, known, namespace);
	if (suggestion?.isExact)
		return new UserError(
			`${kind} ${JSON.stringify(name)} not found${where}; ${suggestion.what}`,
			suggestion.hint,
		);
	const what = `no pod of ${kind} ${JSON.stringify(name)} is on a node in trouble, and there may be no such ${kind}${where}`;
	if (suggestion) return new UserError(`${what}; ${suggestion.what}`, suggestion.hint);
	const choose = namespace === undefined ? '' : 'choose another namespace with -n; ';
	return new UserError(
		what,
		workload.kind === anyWorkload
			? `${choose}for the workload of a pod or node, say pod/NAME or node/NAME`
			: `${choose}what else is in trouble: \`kubectl evictwatch pods -A\``,
	);
}

/** The namespaces in which a workload has pods in trouble; undefined if the chosen namespace is one of them. */
export function namespacesElsewhere(
	workload: NamedWorkload,
	namespace: string | undefined,
	pods: readonly PodForecast[],
	related: Related,
): readonly string[] | undefined {
	const {kind, name} = workload;
	const isIn = (other: string) => namespace === undefined || namespace === other;
	const read = [
		...related.controllers.values(),
		...related.services.map((one) => ({...one, kind: 'Service'})),
	];
	const isOfKind = (one: string) => one === kind || (kind === anyWorkload && one !== 'Service');
	if (read.some((one) => isOfKind(one.kind) && one.name === name && isIn(one.namespace))) return undefined;
	const own = pods.filter((pod) => belongsTo(pod, {kind: 'workload', workload}, related));
	return own.some((pod) => isIn(pod.namespace)) ? undefined : unique(own.map((pod) => pod.namespace));
}

/** Whether a pod is on the node, in the zone, or has the workload in its chain of owners. */
export function belongsTo(pod: PodForecast, owner: NamedTarget, related: Related): boolean {
	switch (owner.kind) {
		case 'nodes':
			return pod.node === owner.name;
		case 'zones':
			return isZoneNamed(pod.zone, owner.name);
		case 'pods':
			return pod.name === owner.name;
		case 'workload':
			return isOfWorkload(pod, owner.workload, related);
	}
}

function isOfWorkload(pod: PodForecast, {kind, name}: NamedWorkload, related: Related) {
	if (kind === 'Service')
		return related.services.some(
			(one) => one.name === name && one.namespace === pod.namespace && hasLabels(pod.labels, one.selector),
		);
	const {workload, owner} = ownerChainOf(pod, related);
	return [workload, owner, pod.owner].some(
		(one) => one?.name === name && (kind === anyWorkload || one.kind === kind),
	);
}
