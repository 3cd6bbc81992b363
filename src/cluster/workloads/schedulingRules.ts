import type {
	V1Affinity,
	V1Container,
	V1ContainerPort,
	V1NodeSelector,
	V1NodeSelectorTerm,
	V1PodAffinity,
	V1PodAntiAffinity,
	V1PodSpec,
	V1ResourceRequirements,
	V1TopologySpreadConstraint,
	V1Volume,
} from '@kubernetes/client-node';
import type {NodeTerms, Requirement} from '../../core/model/workloads/related.ts';
import type {Resources} from '../../core/model/workloads/resources.ts';
import {numberOfQuantity} from '../../core/nodepressure/quantities/parseQuantity.ts';
import {decodeRequirement} from '../codec/decodeSelector.ts';
import {decodeResources, entriesOf, type Fields, fieldsOf, textMapOf, textOf} from '../codec/rawJson.ts';

type Spec = Fields<V1PodSpec>;

/**
 * The requests of a pod as the scheduler computes them: its pod-level requests if set; otherwise the sum of its containers,
 * or the peak during init containers if that is higher; plus its overhead.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/component-helpers/resource/helpers.go PodRequests
 */
export function decodeRequests(spec: Spec): Resources {
	const inits = entriesOf(spec.initContainers).map(initOf);
	const sidecars = sum(inits.filter(({isSidecar}) => isSidecar).map(({requests}) => requests));
	const running = sum([...entriesOf(spec.containers).map(requestsOf), sidecars]);
	let most = running;
	let before = none;
	for (const {requests, isSidecar} of inits) {
		// A sidecar keeps running while later containers start.
		if (isSidecar) before = sum([before, requests]);
		most = larger(most, isSidecar ? before : sum([before, requests]));
	}
	const own = fieldsOf<V1ResourceRequirements>(spec.resources).requests;
	const names = textMapOf(own);
	const ownRequests = decodeResources(own);
	const asked = {
		cpu: names['cpu'] === undefined ? most.cpu : ownRequests.cpu,
		memory: names['memory'] === undefined ? most.memory : ownRequests.memory,
	};
	return sum([asked, decodeResources(spec.overhead)]);
}

/** Whether a pod requests other resources than CPU and memory. */
function asksForMore(spec: Spec): boolean {
	const containers = [...entriesOf(spec.containers), ...entriesOf(spec.initContainers), spec];
	return containers.some((container) => {
		const {requests} = fieldsOf<V1ResourceRequirements>(fieldsOf<V1Container>(container).resources);
		return Object.entries(textMapOf(requests)).some(
			([name, amount]) => name !== 'cpu' && name !== 'memory' && (numberOfQuantity(amount) ?? 1) > 0,
		);
	});
}

const none: Resources = {cpu: 0, memory: 0};

const sum = (list: readonly Resources[]): Resources =>
	list.reduce((all, one) => ({cpu: all.cpu + one.cpu, memory: all.memory + one.memory}), none);

const larger = (a: Resources, b: Resources): Resources => ({
	cpu: Math.max(a.cpu, b.cpu),
	memory: Math.max(a.memory, b.memory),
});

function requestsOf(container: unknown): Resources {
	const {resources} = fieldsOf<V1Container>(container);
	return decodeResources(fieldsOf<V1ResourceRequirements>(resources).requests);
}

const initOf = (container: unknown) => ({
	requests: requestsOf(container),
	isSidecar: fieldsOf<V1Container>(container).restartPolicy === 'Always',
});

/** Decodes the node selector terms of a pod's or a volume's affinity; undefined if there is none. */
export function decodeNodeTerms(value: unknown): NodeTerms | undefined {
	if (value === undefined || value === null) return undefined;
	return entriesOf(fieldsOf<V1NodeSelector>(value).nodeSelectorTerms).map((entry) => {
		const {matchExpressions, matchFields} = fieldsOf<V1NodeSelectorTerm>(entry);
		return [
			...entriesOf(matchExpressions).map(decodeRequirement),
			...entriesOf(matchFields).map((one): Requirement => ({...decodeRequirement(one), isField: true})),
		];
	});
}

/** Rules other than resources, taints and node labels that restrict where a pod can run, as texts. Preferences are left out. */
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

/** Whether a pod has a required anti-affinity: pods that it excludes cannot join it either. */
export function keepsAway(spec: Spec): boolean {
	const {podAntiAffinity} = fieldsOf<V1Affinity>(spec.affinity);
	return requiresPods(fieldsOf<V1PodAntiAffinity>(podAntiAffinity));
}

const requiresPods = ({
	requiredDuringSchedulingIgnoredDuringExecution: required,
}: Fields<V1PodAffinity>): boolean => entriesOf(required).length > 0;

/** Inline volume types with an attach limit per node, or with a claim of their own. */
const heldInline = ['awsElasticBlockStore', 'csi', 'ephemeral', 'gcePersistentDisk', 'iscsi', 'rbd'] as const;

function holdsInline(volume: unknown): boolean {
	// In protobuf the source is a nested message.
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
