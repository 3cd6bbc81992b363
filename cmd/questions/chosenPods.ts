import type {PodForecast} from '../../src/forecast/podForecast.ts';
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
