import type {Related} from '../../src/core/model/workloads/related.ts';
import type {WorkloadName} from '../../src/core/model/workloads/workload.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {ownerChainOf} from '../../src/impact/owners.ts';
import type {Filter} from '../args/options.ts';
import {podListing} from '../output/listing.ts';
import {assertThere, relatedOf} from '../sources/owners.ts';
import type {AskedScene} from '../sources/scene.ts';
import {selectionOf} from '../sources/select.ts';

/** Pods, those of which namespace are meant (undefined for all), and how what owns them is read. */
type PodScene = Pick<AskedScene, 'namespace' | 'related'> & {readonly pods: readonly PodForecast[]};

/** The pods that names, workloads, a namespace and selectors ask for. @throws UserError where a workload is not there */
export async function chosenPods(
	filter: Filter,
	{pods, namespace, related: read}: PodScene,
): Promise<readonly PodForecast[]> {
	const related = await relatedOf(filter.owners, namespace, read);
	const {isMeant} = selectionOf(podListing, filter, namespace, () => related);
	assertThere(filter.owners, namespace, pods, related);
	return pods.filter(isMeant);
}

type NamespacedWorkload = WorkloadName & {readonly namespace: string};

/** Tells the workloads that own any of some pods from others. */
export function areOwnersOf(
	pods: readonly PodForecast[],
	related: Related,
): (workload: NamespacedWorkload) => boolean {
	const keyOf = ({namespace, kind, name}: NamespacedWorkload) => `${namespace}/${kind}/${name}`;
	const owners = new Set(
		pods.map((pod) => keyOf({...ownerChainOf(pod, related).workload, namespace: pod.namespace})),
	);
	return (workload) => owners.has(keyOf(workload));
}
