import type {
	V1Affinity,
	V1Container,
	V1ContainerPort,
	V1PodAffinity,
	V1PodAntiAffinity,
	V1PodSpec,
	V1TopologySpreadConstraint,
	V1Volume,
} from '@kubernetes/client-node';
import {asksForMore} from '../workloads/schedulingRules.ts';
import {entriesOf, type Fields, fieldsOf, textOf} from './rawJson.ts';

type Spec = Fields<V1PodSpec>;

/** What else than room, taints and labels of nodes decides where a pod may run, in words. What it only prefers is none. */
export function otherRulesOf(spec: Spec): readonly string[] {
	const affinity = fieldsOf<V1Affinity>(spec.affinity);
	const scheduler = textOf(spec.schedulerName);
	const rules: readonly (readonly [boolean, string])[] = [
		[requiresPods(fieldsOf<V1PodAffinity>(affinity.podAffinity)), 'its pod affinity'],
		[keepsAway(spec), 'its pod anti-affinity'],
		[entriesOf(spec.topologySpreadConstraints).some(isStrict), 'its spread constraints'],
		[scheduler !== '' && scheduler !== 'default-scheduler', `its scheduler ${scheduler}`],
		[entriesOf(spec.containers).some(hasHostPort), 'its host ports'],
		[entriesOf(spec.volumes).some(holdsInline), 'its volumes'],
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

/** Volumes without a claim of which a node may have only so many, or that get a claim of their own. */
const heldInline = ['awsElasticBlockStore', 'csi', 'ephemeral', 'gcePersistentDisk', 'iscsi', 'rbd'] as const;

function holdsInline(volume: unknown): boolean {
	// In protobuf the source is a part of its own.
	const flat = fieldsOf<V1Volume & {volumeSource: V1Volume}>(volume);
	const source = fieldsOf<V1Volume>(flat.volumeSource ?? flat);
	return heldInline.some((kind) => source[kind] !== undefined && source[kind] !== null);
}

const isStrict = (constraint: unknown): boolean =>
	fieldsOf<V1TopologySpreadConstraint>(constraint).whenUnsatisfiable !== 'ScheduleAnyway';

const hasHostPort = (container: unknown): boolean =>
	entriesOf(fieldsOf<V1Container>(container).ports).some(
		(port) => Number(fieldsOf<V1ContainerPort>(port).hostPort ?? 0) > 0,
	);
