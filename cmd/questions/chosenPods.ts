import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import {hidesNodes, hidesPods} from '../../src/core/model/problem.ts';
import type {Related} from '../../src/core/model/workloads/related.ts';
import {type WorkloadName, workloadKey} from '../../src/core/model/workloads/workload.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {ownerChainOf} from '../../src/impact/owners.ts';
import type {Filter, Options} from '../args/options.ts';
import type {NamedTarget} from '../args/targets.ts';
import {elsewhereNote, isGiven} from '../lists/elsewhere.ts';
import {podListing} from '../lists/listings.ts';
import {selectionOf} from '../lists/select.ts';
import type {Terminal} from '../output/terminal.ts';
import {assertThere, namespacesElsewhere, relatedOf} from '../sources/owners.ts';
import type {AskedScene} from '../sources/scene.ts';
import {isThere, notFound} from './names.ts';

/** Pods, the namespace in scope (undefined for all), and a reader of their owners. */
type PodScene = Pick<AskedScene, 'namespace' | 'related'> & {
	readonly pods: readonly PodForecast[];
	/** Named objects must be in it. */
	readonly snapshot: Pick<ClusterSnapshot, 'nodes' | 'pods' | 'problems'>;
};

/** The pods chosen by names, workloads, namespace and selectors. @throws UserError if a named one does not exist */
export async function chosenPods(
	filter: Filter,
	{pods, namespace, snapshot, related: read}: PodScene,
): Promise<readonly PodForecast[]> {
	for (const owner of filter.owners) assertSeen(owner, snapshot, namespace);
	const related = await relatedOf(filter.owners, namespace, read);
	const {isSelected} = selectionOf(podListing, filter, namespace, () => related);
	assertThere(filter.owners, namespace, pods, related);
	return pods.filter(isSelected);
}

/** @throws UserError for a named pod, node or zone that does not exist; one that may not be read may exist */
function assertSeen(
	target: NamedTarget,
	{nodes, pods, problems}: PodScene['snapshot'],
	namespace: string | undefined,
): void {
	if (target.kind === 'workload' || problems.some(target.kind === 'pods' ? hidesPods : hidesNodes)) return;
	const scene = {nodes, pods, namespace};
	if (!isThere(target, scene)) throw notFound(target, scene);
}

/** The pods of named workloads in the namespace in scope; if it has none and no flag gave it, in the only other that has. */
export async function podsOfWorkloads(
	owners: readonly NamedTarget[],
	{filter, flags}: Pick<Options, 'filter' | 'flags'>,
	scene: PodScene,
	terminal: Terminal,
): Promise<readonly PodForecast[]> {
	const found: PodForecast[] = [];
	for (const owner of owners) {
		const elsewhere = isGiven(flags.namespace) ? undefined : await elsewhereOf(owner, scene);
		if (elsewhere) await terminal.printError(elsewhereNote(elsewhere));
		const namespace = elsewhere?.namespace ?? scene.namespace;
		found.push(...(await chosenPods({...filter, owners: [owner]}, {...scene, namespace})));
	}
	return found;
}

/** The only other namespace with the workload; undefined if there are several. */
async function elsewhereOf(owner: NamedTarget, {pods, namespace, related: read}: PodScene) {
	if (owner.kind !== 'workload' || namespace === undefined) return undefined;
	const {kind, name} = owner.workload;
	const related = await relatedOf([owner], namespace, read);
	const [other, ...more] = namespacesElsewhere(owner.workload, namespace, pods, related) ?? [];
	return other !== undefined && more.length === 0
		? {kind: kind.toLowerCase(), name, namespace: other}
		: undefined;
}

/** A test of whether a workload owns any of the pods. */
export function areOwnersOf(
	pods: readonly PodForecast[],
	related: Related,
): (workload: WorkloadName & {readonly namespace: string}) => boolean {
	const owners = new Set(
		pods.map((pod) => workloadKey({...ownerChainOf(pod, related).workload, namespace: pod.namespace})),
	);
	return (workload) => owners.has(workloadKey(workload));
}
