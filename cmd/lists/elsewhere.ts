import type {ObservedDeletion} from '../../src/forecast/ledger/observedDeletion.ts';
import {type PodForecast, willBeEvicted} from '../../src/forecast/podForecast.ts';
import {shellWord} from '../../src/text/pasted.ts';

/**
 * What happens to pods outside of the namespace that is asked for; empty where nothing does.
 *
 * @param command the one that shows them, where that is another
 */
export function elsewhereText(
	pods: readonly PodForecast[],
	namespace: string | undefined,
	command?: string,
): string {
	if (namespace === undefined) return '';
	const others = evictionsIn(pods.filter((pod) => pod.namespace !== namespace));
	return others === ''
		? ''
		: `In other namespaces ${others}; see them with ${command === undefined ? '' : `${command} `}-A.\n`;
}

/** `12 pods will be evicted, 3 are held`; empty where none are. */
function evictionsIn(pods: readonly PodForecast[]): string {
	const due = pods.filter(({verdict}) => willBeEvicted(verdict)).length;
	const [unsure, held] = (['Unsure', 'Held'] as const).map(
		(wanted) => pods.filter(({verdict}) => verdict === wanted).length,
	);
	const counts = [
		[due, 'will be evicted'],
		[unsure, 'might be evicted'],
		[held, held === 1 ? 'is held' : 'are held'],
	] as const;
	const parts = counts.filter(([number = 0]) => number > 0);
	return parts
		.map(([number, words], index) =>
			index > 0 ? `${number} ${words}` : `${number} ${number === 1 ? 'pod' : 'pods'} ${words}`,
		)
		.join(', ');
}

/** How many evictions were seen outside of that namespace, and how they are shown; empty where none were. */
export function evictedElsewhere(deletions: readonly ObservedDeletion[], namespace: string): string {
	const others = deletions.filter((one) => one.namespace !== namespace);
	const [where = '', ...more] = new Set(others.map((one) => one.namespace));
	if (others.length === 0) return '';
	const what = others.length === 1 ? '1 pod was evicted' : `${others.length} pods were evicted`;
	const them = others.length === 1 ? 'it' : 'them';
	return more.length === 0
		? `In namespace ${where} ${what}; see ${them} with -n ${shellWord(where)}.\n`
		: `In other namespaces ${what}; see ${them} with -A.\n`;
}
