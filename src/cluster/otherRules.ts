import type {
	V1Affinity,
	V1Container,
	V1ContainerPort,
	V1NodeAffinity,
	V1NodeSelector,
	V1NodeSelectorTerm,
	V1PodAffinity,
	V1PodAntiAffinity,
	V1PodSpec,
	V1TopologySpreadConstraint,
} from '@kubernetes/client-node';
import {asksForMore} from './decodeRequests.ts';
import {entriesOf, type Fields, fieldsOf, textOf} from './rawJson.ts';

type Spec = Fields<V1PodSpec>;

/** What else than room, taints and labels of nodes decides where a pod may run, in words. What it only prefers is none. */
export function otherRulesOf(spec: Spec): readonly string[] {
	const affinity = fieldsOf<V1Affinity>(spec.affinity);
	const scheduler = textOf(spec.schedulerName);
	const rules: readonly (readonly [boolean, string])[] = [
		[requiresPods(fieldsOf<V1PodAffinity>(affinity.podAffinity)), 'its pod affinity'],
		[keepsAway(spec), 'its pod anti-affinity'],
		[hasFieldTerms(affinity), 'the nodes that it names'],
		[entriesOf(spec.topologySpreadConstraints).some(isStrict), 'its spread constraints'],
		[scheduler !== '' && scheduler !== 'default-scheduler', `its scheduler ${scheduler}`],
		[entriesOf(spec.containers).some(hasHostPort), 'its host ports'],
		[asksForMore(spec), 'other resources than CPU and memory'],
		[entriesOf(spec.resourceClaims).length > 0, 'its resource claims'],
		[entriesOf(spec.schedulingGates).length > 0, 'its scheduling gates'],
	];
	return rules.flatMap(([applies, rule]) => (applies ? [rule] : []));
}

/** Whether a pod must not run beside some others: then those must not come to it, either. */
export function keepsAway(spec: Spec): boolean {
	const {podAntiAffinity} = fieldsOf<V1Affinity>(spec.affinity);
	return requiresPods(fieldsOf<V1PodAntiAffinity>(podAntiAffinity));
}

const requiresPods = ({
	requiredDuringSchedulingIgnoredDuringExecution: required,
}: Fields<V1PodAffinity>): boolean => entriesOf(required).length > 0;

function hasFieldTerms({nodeAffinity}: Fields<V1Affinity>): boolean {
	const required = fieldsOf<V1NodeAffinity>(nodeAffinity).requiredDuringSchedulingIgnoredDuringExecution;
	return entriesOf(fieldsOf<V1NodeSelector>(required).nodeSelectorTerms).some(
		(term) => entriesOf(fieldsOf<V1NodeSelectorTerm>(term).matchFields).length > 0,
	);
}

const isStrict = (constraint: unknown): boolean =>
	fieldsOf<V1TopologySpreadConstraint>(constraint).whenUnsatisfiable !== 'ScheduleAnyway';

const hasHostPort = (container: unknown): boolean =>
	entriesOf(fieldsOf<V1Container>(container).ports).some(
		(port) => Number(fieldsOf<V1ContainerPort>(port).hostPort ?? 0) > 0,
	);
