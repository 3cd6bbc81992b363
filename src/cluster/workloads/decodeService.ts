import type {V1EndpointSlice, V1Service} from '@kubernetes/client-node';
import {mapBy} from '../../core/collections/mapBy.ts';
import type {Endpoint, Service} from '../../core/model/workloads/related.ts';
import {eachOf, fieldsOf, partsOf, textMapOf, textOf} from '../codec/rawJson.ts';
import {namedOf} from './decodeController.ts';

const serviceLabel = 'kubernetes.io/service-name';

/** Decodes the pods of an EndpointSlice; undefined if it belongs to no service. */
export function decodeEndpoints(value: unknown): readonly Endpoint[] | undefined {
	const {endpoints} = fieldsOf<V1EndpointSlice>(value);
	const {metadata} = partsOf(value);
	const service = textMapOf(metadata.labels)[serviceLabel];
	if (service === undefined) return undefined;
	const namespace = textOf(metadata.namespace);
	return eachOf(endpoints, (endpoint) => {
		// Absent means unknown, which must be treated as ready.
		const isReady = endpoint?.conditions?.ready !== false;
		const {kind, name} = endpoint?.targetRef ?? {};
		return kind === 'Pod' ? {namespace, service, pod: textOf(name), isReady} : undefined;
	});
}

/** Joins the endpoints of slices; a pod in several slices of a service (address families) counts once. */
export function endpointsIn(slices: readonly (readonly Endpoint[])[]): readonly Endpoint[] {
	const all = slices.flat();
	return [...mapBy(all, (one) => `${one.namespace}/${one.service}/${one.pod}`).values()];
}

/** Decodes a Service; undefined if it has no name, or no selector. */
export function decodeService(value: unknown): Service | undefined {
	const {metadata, spec} = partsOf<V1Service>(value);
	const {name, namespace} = namedOf(metadata);
	const selector = textMapOf(spec.selector);
	if (name === '' || Object.keys(selector).length === 0) return undefined;
	return {name, namespace, selector, publishesNotReady: spec.publishNotReadyAddresses === true};
}
