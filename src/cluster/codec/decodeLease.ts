import type {V1Lease, V1LeaseSpec, V1ObjectMeta} from '@kubernetes/client-node';
import type {Lease} from '../../core/model/lease.ts';
import {second} from '../../core/time/instant.ts';
import {decodeFieldWrites} from './decodeFieldWrites.ts';
import type {ReportFlaw} from './decodeNode.ts';
import {decodeTime} from './decodeTime.ts';
import {isNamespaceName, isObjectName} from './objectName.ts';
import {fieldsOf, numberOf, textOf} from './rawJson.ts';

type LeaseFields = {
	readonly [Key in
		| 'holderIdentity'
		| 'leaseDurationSeconds'
		| 'acquireTime'
		| 'renewTime'
		| 'leaseTransitions']?: unknown;
};

/** Reads a coordination/v1 Lease, from a list or a watch alike; undefined where it has no name or namespace that can be. */
export function decodeLease(value: unknown, report: ReportFlaw): Lease | undefined {
	const lease = fieldsOf<V1Lease>(value);
	const metadata = fieldsOf<V1ObjectMeta>(lease.metadata);
	const spec = fieldsOf<V1LeaseSpec>(lease.spec);
	const [namespace, name] = [textOf(metadata.namespace), textOf(metadata.name)];
	if (name === '' || namespace === '') {
		report('Lease without a name or a namespace');
		return undefined;
	}
	if (!isObjectName(name) || !isNamespaceName(namespace)) {
		report('Lease with a name or a namespace that no API server takes');
		return undefined;
	}
	return {namespace, name, ...decodeLeaseSpec(spec), writes: decodeFieldWrites(metadata.managedFields)};
}

/** Reads what a lease says, or an election record that says the same; what is missing or nonsense is left out. */
export function decodeLeaseSpec(spec: LeaseFields): Omit<Lease, 'namespace' | 'name' | 'writes'> {
	const holderIdentity = textOf(spec.holderIdentity);
	const leaseDurationSeconds = numberOf(spec.leaseDurationSeconds);
	const acquireTime = decodeTime(spec.acquireTime);
	const renewTime = decodeTime(spec.renewTime);
	const leaseTransitions = numberOf(spec.leaseTransitions);
	return {
		...(holderIdentity !== '' && {holderIdentity}),
		...(leaseDurationSeconds !== undefined && {leaseDuration: leaseDurationSeconds * second}),
		...(acquireTime !== undefined && {acquireTime}),
		...(renewTime !== undefined && {renewTime}),
		...(leaseTransitions !== undefined && {leaseTransitions}),
	};
}
