import type {
	V1Container,
	V1NodeSelector,
	V1PodSpec,
	V1TopologySpreadConstraint,
	V1Volume,
} from '@kubernetes/client-node';
import type {NodeTerms, Requirement} from '../../core/model/workloads/related.ts';
import type {Resources} from '../../core/model/workloads/resources.ts';
import {numberOfQuantity} from '../../core/nodepressure/quantities/parseQuantity.ts';
import {decodeRequirement} from '../codec/decodeSelector.ts';
import {
	decodeResources,
	entriesOf,
	type Fields,
	isObject,
	type Raw,
	textMapOf,
	textOf,
} from '../codec/rawJson.ts';

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
	const own = spec.resources?.requests;
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
		return Object.entries(textMapOf(container?.resources?.requests)).some(
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

const requestsOf = (container: Raw<V1Container>): Resources =>
	decodeResources(container?.resources?.requests);

const initOf = (container: Raw<V1Container>) => ({
	requests: requestsOf(container),
	isSidecar: container?.restartPolicy === 'Always',
});

/** Decodes the node selector terms of a pod's or a volume's affinity; undefined if there is none. */
export function decodeNodeTerms(selector: Raw<V1NodeSelector>): NodeTerms | undefined {
	if (!selector) return undefined;
	return entriesOf(selector.nodeSelectorTerms).map((term) => [
		...entriesOf(term?.matchExpressions).map(decodeRequirement),
		...entriesOf(term?.matchFields).map((one): Requirement => ({...decodeRequirement(one), isField: true})),
	]);
}

/** Rules other than resources, taints and node labels that restrict where a pod can run, as texts. Preferences are left out. */
export function otherRulesOf(spec: Spec): readonly string[] {
	const scheduler = textOf(spec.schedulerName);
	const rules: readonly (readonly [boolean, string])[] = [
		[entriesOf(spec.affinity?.podAffinity?.[required]).length > 0, 'its pod affinity'],
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
export const keepsAway = (spec: Spec): boolean =>
	entriesOf(spec.affinity?.podAntiAffinity?.[required]).length > 0;

const required = 'requiredDuringSchedulingIgnoredDuringExecution';

/** Inline volume types with an attach limit per node, or with a claim of their own. */
const heldInline = ['awsElasticBlockStore', 'csi', 'ephemeral', 'gcePersistentDisk', 'iscsi', 'rbd'] as const;

const holdsInline = (volume: Raw<V1Volume>): boolean => heldInline.some((kind) => isObject(volume?.[kind]));

const isStrict = (constraint: Raw<V1TopologySpreadConstraint>) =>
	constraint?.whenUnsatisfiable !== 'ScheduleAnyway';

const hasHostPort = (container: Raw<V1Container>) =>
	entriesOf(container?.ports).some((port) => Number(port?.hostPort ?? 0) > 0);
