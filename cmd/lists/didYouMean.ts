import {type OwnedPod, workloadOf} from '../../src/core/model/workloads/workload.ts';
import {shellWord} from '../../src/text/pasted.ts';
import {nearest} from '../args/nearest.ts';

/** `; did you mean eu/b?` for a zone named without its region; empty if no zone ends with the name. */
export function didYouMean(name: string, known: Iterable<string>): string {
	const near = [...new Set(known)].filter((one) => one.endsWith(`/${name}`));
	return near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`;
}

/**
 * A suggestion for an unknown pod: a pod of this name in another namespace, a workload of this name, or a similar name.
 */
export function podSuggestion(
	name: string,
	pods: readonly (OwnedPod & {readonly namespace: string})[],
	namespace: string | undefined,
) {
	const [first, ...more] = new Set(pods.filter((pod) => pod.name === name).map((pod) => pod.namespace));
	if (first !== undefined)
		return {
			what: `there is one in ${[first, ...more].join(', ')}`,
			hint: `choose its namespace with -n${more.length === 0 ? ` ${shellWord(first)}` : ''}`,
		};
	const workloads = pods.flatMap((pod) => {
		const {kind, name: own} = workloadOf(pod);
		// Static pods are owned by their node, which has no namespace.
		return kind === 'Node' ? [] : {kind: kind.toLowerCase(), name: own, namespace: pod.namespace};
	});
	const same = workloads.find((one) => one.name === name);
	if (same)
		return {
			what: `there is a ${same.kind} of this name in ${same.namespace}`,
			hint: `try ${typed(same)}`,
		};
	const known = [
		...workloads,
		...pods.map((pod) => ({kind: 'pod', name: pod.name, namespace: pod.namespace})),
	];
	const inReach = known.filter((one) => one.namespace === namespace);
	const near = [inReach, known].map((some) => nearest(name, [...new Set(some.map((one) => one.name))]));
	const like = known.find((one) => one.name === (near[0] ?? near[1]) && (!near[0] || inReach.includes(one)));
	if (!like) return undefined;
	return {
		what: `did you mean ${like.kind} ${like.name} in ${like.namespace}?`,
		hint: `try ${typed(like)}`,
	};
}

const typed = ({kind, name, namespace}: {kind: string; name: string; namespace: string}): string =>
	`${kind === 'pod' ? '' : `${kind}/`}${shellWord(name)} -n ${shellWord(namespace)}`;
