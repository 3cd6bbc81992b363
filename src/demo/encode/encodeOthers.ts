import {encodeLease} from '../../cluster/codec/encodeObject.ts';
import type {Lease} from '../../core/model/lease.ts';
import type {Instant} from '../../core/time/instant.ts';
import {type ApiObject, withMore} from './apiObject.ts';
import {serverTime} from './encodeMeta.ts';

export const encodeNamespace = (name: string, createdAt: Instant): ApiObject => ({
	apiVersion: 'v1',
	kind: 'Namespace',
	metadata: {
		name,
		creationTimestamp: serverTime(createdAt),
		labels: {'kubernetes.io/metadata.name': name},
	},
	spec: {finalizers: ['kubernetes']},
	status: {phase: 'Active'},
});

export const encodeDemoLease = (lease: Lease, createdAt: Instant): ApiObject =>
	withMore(encodeLease(lease, serverTime), {metadata: {creationTimestamp: serverTime(createdAt)}});
