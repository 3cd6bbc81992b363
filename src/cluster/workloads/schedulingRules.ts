import type {V1Container, V1PodSpec, V1ResourceRequirements} from '@kubernetes/client-node';
import {parseQuantity} from '../../core/model/quantity.ts';
import type {Resources} from '../../core/model/related.ts';
import {decodeResources} from '../codec/decodeResources.ts';
import {entriesOf, type Fields, fieldsOf, textMapOf} from '../codec/rawJson.ts';

type Spec = Fields<V1PodSpec>;

/**
 * What the scheduler reckons that a pod takes: its own requests where it has some, or else what its containers ask for
 * together, or while one of the init containers runs, whichever is more; and what running it costs.
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
		// A sidecar runs on while those after it start.
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

/** Whether a pod asks for anything but CPU and memory, which its node must have as well. */
export function asksForMore(spec: Spec): boolean {
	const containers = [...entriesOf(spec.containers), ...entriesOf(spec.initContainers), spec];
	return containers.some((container) => {
		const {requests} = fieldsOf<V1ResourceRequirements>(fieldsOf<V1Container>(container).resources);
		return Object.entries(textMapOf(requests)).some(
			([name, amount]) => name !== 'cpu' && name !== 'memory' && (parseQuantity(amount) ?? 1) > 0,
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
