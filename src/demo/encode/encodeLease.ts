import type {FieldWrite} from '../../core/model/fieldWrite.ts';
import {type Lease, nodeLeaseNamespace} from '../../core/model/lease.ts';
import {second} from '../../core/time/instant.ts';
import type {ApiObject} from './apiObject.ts';
import {encodeFieldWrite, encodeMicroTime, encodeTime} from './encodeMeta.ts';

const apiVersion = 'coordination.k8s.io/v1';

/** A lease as the API server shows it. @param createdAt is kept by the store, so later renewals do not change it */
export function encodeLease(lease: Lease, createdAt = lease.acquireTime ?? lease.renewTime): ApiObject {
	const {namespace, name, holderIdentity, leaseDuration, acquireTime, renewTime, leaseTransitions} = lease;
	return {
		apiVersion,
		kind: 'Lease',
		metadata: {
			name,
			namespace,
			...(createdAt !== undefined && {creationTimestamp: encodeTime(createdAt)}),
			managedFields: (lease.writes ?? assumedWrites(lease)).map((write) =>
				encodeFieldWrite(write, {apiVersion, fieldsV1: {'f:spec': writtenFields(lease)}}),
			),
		},
		spec: {
			...(holderIdentity !== undefined && {holderIdentity}),
			...(leaseDuration !== undefined && {leaseDurationSeconds: Math.round(leaseDuration / second)}),
			...(acquireTime !== undefined && {acquireTime: encodeMicroTime(acquireTime)}),
			...(renewTime !== undefined && {renewTime: encodeMicroTime(renewTime)}),
			...(leaseTransitions !== undefined && {leaseTransitions}),
		},
	};
}

const writtenFields = (lease: Lease) => ({
	'f:holderIdentity': {},
	'f:leaseDurationSeconds': {},
	...(lease.acquireTime !== undefined && {'f:acquireTime': {}}),
	'f:renewTime': {},
});

// By default, the holder's clock and the API server's agree.
function assumedWrites({namespace, name, renewTime}: Lease): readonly FieldWrite[] {
	if (renewTime === undefined) return [];
	const manager = namespace === nodeLeaseNamespace ? 'kubelet' : name;
	return [{manager, operation: 'Update', time: renewTime}];
}
