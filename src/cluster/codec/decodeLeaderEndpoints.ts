import type {V1Endpoints, V1ObjectMeta} from '@kubernetes/client-node';
import {controllerManagerLease, type Lease} from '../../core/model/lease.ts';
import {decodeFieldWrites} from './decodeFieldWrites.ts';
import {decodeLeaseSpec} from './decodeLease.ts';
import type {ReportFlaw} from './decodeNode.ts';
import {fieldsOf, textOf} from './rawJson.ts';

/** Where a leader shows itself that is elected by Endpoints: v1.16 knew no other way by default. */
export const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader';

/** What the annotation holds. */
type LeaderRecord = {
	readonly holderIdentity: unknown;
	readonly leaseDurationSeconds: unknown;
	readonly acquireTime: unknown;
	readonly renewTime: unknown;
	readonly leaderTransitions: unknown;
};

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
	const record = recordOf(text);
	if (!record) {
		report('Endpoints with an unreadable election record');
		return undefined;
	}
	const spec = decodeLeaseSpec({...record, leaseTransitions: record.leaderTransitions});
	return {namespace, name, ...spec, writes: decodeFieldWrites(metadata.managedFields)};
}

function recordOf(text: string): Partial<LeaderRecord> | undefined {
	try {
		return fieldsOf<LeaderRecord>(JSON.parse(text));
	} catch {
		return undefined;
	}
}
