import {unique} from '../../src/core/collections/unique.ts';
import {nameOf} from '../../src/core/model/objectName.ts';
import {type OwnedPod, workloadOf} from '../../src/core/model/workloads/workload.ts';
import {isZoneNamed} from '../../src/core/model/zone.ts';
import {shellWord} from '../../src/text/pasted.ts';
import {anyWorkload} from '../args/targets.ts';
import {nearest} from '../args/usageError.ts';

/** `; did you mean eu/b?` for a zone named without its region; empty if no zone ends with the name. */
export function didYouMean(name: string, known: Iterable<string>): string {
	const near = unique(known).filter((one) => isZoneNamed(one, name));
	return near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`;
}

/** An object with a namespace; its kind in small letters. */
type KnownObject = {readonly kind: string; readonly name: string; readonly namespace: string};

/**
 * Finds what may be meant by a name that was not found, and what to type: the same in another namespace, another kind of that
 * name, or (not `isExact`) a like name; first in the namespace.
 */
export function suggestionFor(
	{kind, name}: Pick<KnownObject, 'kind' | 'name'>,
	known: readonly KnownObject[],
	namespace: string | undefined,
) {
	const isIn = (one: KnownObject) => namespace === undefined || one.namespace === namespace;
	// Static pods are owned by their node, and services own none.
	const isOfKind = (one: KnownObject) =>
		one.kind === kind ||
		(kind === anyWorkload.toLowerCase() && !['service', 'node', 'pod'].includes(one.kind));
	const same = known.filter((one) => one.name === name);
	const [first, ...more] = new Set(same.filter(isOfKind).map((one) => one.namespace));
	if (first !== undefined)
		return {
			what: `there is one in ${[first, ...more].join(', ')}`,
			hint: `choose its namespace with -n${more.length === 0 ? ` ${shellWord(first)}` : ''}`,
			isExact: true,
		};
	const other = same.find(isIn) ?? same[0];
	if (other)
		return {
			what: `there is a ${other.kind} of this name in ${other.namespace}`,
			hint: `try ${typed(other)}`,
			isExact: true,
		};
	// The name of a pod is like that of its workload.
	const alike = kind === 'pod' ? known : known.filter(isOfKind);
	const like = [alike.filter(isIn), alike].flatMap((some) => {
		const near = nearest(name, unique(some.map(nameOf)));
		return some.find((one) => one.name === near) ?? [];
	})[0];
	return (
		like && {
			what: `did you mean ${like.kind} ${like.name} in ${like.namespace}?`,
			hint: `try ${typed(like)}`,
			isExact: false,
		}
	);
}

/** A suggestion for an unknown pod. */
export function podSuggestion(
	name: string,
	pods: readonly (OwnedPod & {readonly namespace: string})[],
	namespace: string | undefined,
) {
	const workloads = pods.flatMap((pod) => {
		const workload = workloadOf(pod);
		return {kind: workload.kind.toLowerCase(), name: workload.name, namespace: pod.namespace};
	});
	// Static pods are owned by their node, which has no namespace.
	const known = [
		...workloads.filter(({kind}) => kind !== 'node'),
		...pods.map((pod) => ({kind: 'pod', name: pod.name, namespace: pod.namespace})),
	];
	return suggestionFor({kind: 'pod', name}, known, namespace);
}

const typed = ({kind, name, namespace}: KnownObject) =>
	`${kind === 'pod' ? '' : `${kind}/`}${shellWord(name)} -n ${shellWord(namespace)}`;
