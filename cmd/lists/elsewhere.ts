import {nameOf} from '../../src/core/model/objectName.ts';
import {isPodTerminal} from '../../src/core/model/pod.ts';
import type {ObservedDeletion} from '../../src/forecast/ledger/observedDeletion.ts';
import {isPending} from '../../src/forecast/pending.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {podsText} from '../../src/print/status/causes.ts';
import {shellWord} from '../../src/text/pasted.ts';

/** Evictions outside the chosen namespace, if any. @param command the command that shows them, if it is another one */
export function elsewhereText(
	pods: readonly PodForecast[],
	namespace: string | undefined,
	command = '',
): string {
	if (namespace === undefined) return '';
	const isTold = (pod: PodForecast) =>
		isPending(pod) || (!isPodTerminal(pod) && (pod.verdict === 'Unsure' || pod.verdict === 'Held'));
	const others = pods.filter((pod) => pod.namespace !== namespace && isTold(pod));
	return others.length === 0
		? ''
		: `Pods in other namespaces: ${podsText({pods: others, nodes: [], problems: []})}; see them with ${command && `${command} `}-A.\n`;
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
