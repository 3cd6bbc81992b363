import {nameOf} from '../../src/core/model/objectName.ts';
import type {ObservedDeletion} from '../../src/forecast/ledger/observedDeletion.ts';
import {type PodForecast, willBeEvicted} from '../../src/forecast/podForecast.ts';
import {count} from '../../src/forecast/words.ts';
import {shellWord} from '../../src/text/pasted.ts';

/** Evictions outside the chosen namespace, if any. @param command the command that shows them, if it is another one */
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

/** `12 pods will be evicted, 3 are held`; empty if there are none. */
function evictionsIn(pods: readonly PodForecast[]): string {
	const counted = (isMeant: (verdict: string) => boolean, words: string, ofSeveral = words) => {
		const {length} = pods.filter(({verdict}) => isMeant(verdict));
		return length === 0 ? [] : {length, words: length === 1 ? words : ofSeveral};
	};
	return [
		counted(willBeEvicted, 'will be evicted'),
		counted((verdict) => verdict === 'Unsure', 'might be evicted'),
		counted((verdict) => verdict === 'Held', 'is held', 'are held'),
	]
		.flat()
		.map(({length, words}, index) => `${index > 0 ? length : count(length, 'pod')} ${words}`)
		.join(', ');
}

/** How many evictions were seen outside the namespace, and how to show them; empty if there were none. */
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

/** Says in which namespace a pod or workload was found; goes to standard error. */
export const elsewhereNote = ({kind, name, namespace}: Elsewhere) =>
	`${kind ?? 'pod'} ${name} is in namespace ${namespace}\n`;

type Elsewhere = {readonly kind?: string; readonly name: string; readonly namespace: string};

/** The only other namespace that has all named pods; undefined if the present one has any, or a flag gave it. */
export function namespaceOfNames(
	names: readonly string[],
	namespace: string | undefined,
	given: string | undefined,
	pods: readonly {readonly namespace: string; readonly name: string}[],
): string | undefined {
	if (given || namespace === undefined || names.length === 0) return undefined;
	const named = pods.filter(({name}) => names.includes(name));
	const [other, ...more] = new Set(named.map((pod) => pod.namespace));
	const isAll = new Set(named.map(nameOf)).size === new Set(names).size;
	return other !== namespace && more.length === 0 && isAll ? other : undefined;
}
