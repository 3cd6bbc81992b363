import type {
	V1Endpoint,
	V1EndpointConditions,
	V1EndpointSlice,
	V1ObjectReference,
	V1Service,
} from '@kubernetes/client-node';
import type {Endpoint, Service} from '../../core/model/workloads/related.ts';
import {entriesOf, fieldsOf, partsOf, textMapOf, textOf} from '../codec/rawJson.ts';
import {namedOf} from './decodeController.ts';

const serviceLabel = 'kubernetes.io/service-name';

/** Reads the pods of an EndpointSlice; undefined where it belongs to no service. One of two families of addresses is enough. */
export function decodeEndpoints(value: unknown): readonly Endpoint[] | undefined {
	const {endpoints} = fieldsOf<V1EndpointSlice>(value);
	const {metadata} = partsOf(value);
	const service = textMapOf(metadata.labels)[serviceLabel];
	if (service === undefined) return undefined;
	const namespace = textOf(metadata.namespace);
	return entriesOf(endpoints).flatMap((entry) => {
		const {targetRef, conditions} = fieldsOf<V1Endpoint>(entry);
		const {kind, name} = fieldsOf<V1ObjectReference>(targetRef);
		// Absent means that it is not known, which is to be taken for ready.
		const isReady = fieldsOf<V1EndpointConditions>(conditions).ready !== false;
		return kind === 'Pod' ? [{namespace, service, pod: textOf(name), isReady}] : [];
	});
}

/** The endpoints of several slices: a pod that is in two of one service is one. */
export function endpointsIn(slices: readonly (readonly Endpoint[])[]): readonly Endpoint[] {
	const all = slices.flat();
	return [...new Map(all.map((one) => [`${one.namespace}/${one.service}/${one.pod}`, one])).values()];
}

/** Reads a Service; undefined where it has no name, or selects nothing. */
export function decodeService(value: unknown): Service | undefined {
	const {metadata, spec} = partsOf<V1Service>(value);
	const {name, namespace} = namedOf(metadata);
	const selector = textMapOf(spec.selector);
	if (name === '' || Object.keys(selector).length === 0) return undefined;
	return {name, namespace, selector, publishesNotReady: spec.publishNotReadyAddresses === true};
}
