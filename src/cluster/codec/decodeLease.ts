import type {V1Endpoints, V1Lease, V1LeaseSpec, V1ObjectMeta} from '@kubernetes/client-node';
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
	present,
	said,
	textOf,
} from './rawJson.ts';

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
	return {namespace, name, ...decodeLeaseSpec(spec), ...decodeWrites(metadata)};
}

/** Where no entry says that it renews the lease, as in recordings, all count for such. */
function decodeWrites({managedFields}: Fields<V1ObjectMeta>): Pick<Lease, 'writes' | 'touchedAt'> {
	const writes = decodeFieldWrites(managedFields, ownsRenewTime);
	if (writes.length === 0) return {writes: decodeFieldWrites(managedFields)};
	const others = decodeFieldWrites(managedFields, (entry) => !ownsRenewTime(entry));
	const touchedAt = Math.max(...others.map(({time}) => time));
	return {writes, ...(touchedAt >= Math.max(...writes.map(({time}) => time)) && {touchedAt})};
}

/** Reads what a lease says, or an election record that says the same; what is missing or nonsense is left out. */
function decodeLeaseSpec(
	spec: Fields<V1LeaseSpec>,
): Omit<Lease, 'namespace' | 'name' | 'writes' | 'touchedAt'> {
	const leaseDurationSeconds = numberOf(spec.leaseDurationSeconds);
	return {
		...said('holderIdentity', textOf(spec.holderIdentity)),
		...(leaseDurationSeconds !== undefined && {leaseDuration: leaseDurationSeconds * second}),
		...present('acquireTime', decodeTime(spec.acquireTime)),
		...present('renewTime', decodeTime(spec.renewTime)),
		...present('leaseTransitions', numberOf(spec.leaseTransitions)),
	};
}

/** Where a leader shows itself that is elected by Endpoints: v1.16 knew no other way by default. */
const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader';

/** What the annotation holds: what a lease does, but for the name of one field. */
type LeaderRecord = V1LeaseSpec & {readonly leaderTransitions: unknown};

/**
 * Reads the election record of kube-controller-manager from its Endpoints, as the lease that later releases keep;
 * undefined for all other Endpoints, and where nobody was ever elected by these. Its times are in whole seconds.
 *
 * @upstream kubernetes v1.16.15 staging/src/k8s.io/client-go/tools/leaderelection/resourcelock/endpointslock.go Get
 */
export function decodeLeaderEndpoints(value: unknown, report: ReportFlaw): Lease | undefined {
	const metadata = fieldsOf<V1ObjectMeta>(fieldsOf<V1Endpoints>(value).metadata);
	const {namespace, name} = controllerManagerLease;
	if (textOf(metadata.namespace) !== namespace || textOf(metadata.name) !== name) return undefined;
	const text = textOf(fieldsOf<Record<string, unknown>>(metadata.annotations)[leaderAnnotation]);
	if (text === '') return undefined;
	const parsed = parsedJson(text);
	if (parsed === undefined) {
		report('Endpoints with an unreadable election record');
		return undefined;
	}
	const record = fieldsOf<LeaderRecord>(parsed);
	const spec = decodeLeaseSpec({...record, leaseTransitions: record.leaderTransitions});
	return {namespace, name, ...spec, writes: decodeFieldWrites(metadata.managedFields)};
}
