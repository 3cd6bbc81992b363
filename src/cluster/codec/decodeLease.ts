import type {V1Lease, V1LeaseSpec, V1ObjectMeta} from '@kubernetes/client-node';
import {maxOf} from '../../core/collections/extremes.ts';
import {controllerManagerLease, type Lease} from '../../core/model/lease.ts';
import {second} from '../../core/time/instant.ts';
import type {ReportFlaw} from './decodeNode.ts';
import {
	decodeFieldWrites,
	decodeTime,
	type Fields,
	fieldsOf,
	isNamespaceName,
	isObjectName,
	numberOf,
	ownsRenewTime,
	parsedJson,
	partsOf,
	textIn,
	textOf,
} from './rawJson.ts';

/** Decodes a coordination/v1 Lease of a list or a watch; undefined if its name or namespace is missing or invalid. */
export function decodeLease(value: unknown, report: ReportFlaw): Lease | undefined {
	const {metadata, spec} = partsOf<V1Lease>(value);
	const [namespace, name] = [textOf(metadata.namespace), textOf(metadata.name)];
	if (name === '' || namespace === '') return void report('Lease without a name or a namespace');
	if (!isObjectName(name) || !isNamespaceName(namespace))
		return void report('Lease with a name or a namespace that no API server takes');
	return {namespace, name, ...decodeLeaseSpec(spec), ...decodeWrites(metadata)};
}

/** If no entry owns renewTime, as in recordings, every entry counts as a renewal. */
function decodeWrites({managedFields}: Fields<V1ObjectMeta>): Pick<Lease, 'writes' | 'touchedAt'> {
	const writes = decodeFieldWrites(managedFields, ownsRenewTime);
	if (writes.length === 0) return {writes: decodeFieldWrites(managedFields)};
	const others = decodeFieldWrites(managedFields, (entry) => !ownsRenewTime(entry));
	const touchedAt = maxOf(others.map(({time}) => time));
	const isTouched = touchedAt >= maxOf(writes.map(({time}) => time));
	return {writes, touchedAt: isTouched ? touchedAt : undefined};
}

/** Decodes the spec of a lease, or of an equivalent election record; missing and invalid fields are left out. */
function decodeLeaseSpec(
	spec: Fields<V1LeaseSpec>,
): Omit<Lease, 'namespace' | 'name' | 'writes' | 'touchedAt'> {
	const leaseDurationSeconds = numberOf(spec.leaseDurationSeconds);
	return {
		holderIdentity: textIn(spec.holderIdentity),
		leaseDuration: leaseDurationSeconds === undefined ? undefined : leaseDurationSeconds * second,
		acquireTime: decodeTime(spec.acquireTime),
		renewTime: decodeTime(spec.renewTime),
		leaseTransitions: numberOf(spec.leaseTransitions),
	};
}

/** The annotation of leader election by Endpoints, the default in v1.16. */
const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader';

/**
 * Decodes the election record in kube-controller-manager's Endpoints as the Lease that later releases use; undefined for
 * other Endpoints, and without a record. Its times are in whole seconds.
 *
 * @upstream kubernetes v1.16.15 staging/src/k8s.io/client-go/tools/leaderelection/resourcelock/endpointslock.go Get
 */
export function decodeLeaderEndpoints(value: unknown, report: ReportFlaw): Lease | undefined {
	const {metadata} = partsOf(value);
	const {namespace, name} = controllerManagerLease;
	if (textOf(metadata.namespace) !== namespace || textOf(metadata.name) !== name) return undefined;
	const text = textOf(metadata.annotations?.[leaderAnnotation]);
	if (text === '') return undefined;
	const parsed = parsedJson(text);
	if (parsed === undefined) return void report('Endpoints with an unreadable election record');
	const record = fieldsOf<V1LeaseSpec & {readonly leaderTransitions: unknown}>(parsed);
	const spec = decodeLeaseSpec({...record, leaseTransitions: record.leaderTransitions});
	return {namespace, name, ...spec, writes: decodeFieldWrites(metadata.managedFields)};
}
