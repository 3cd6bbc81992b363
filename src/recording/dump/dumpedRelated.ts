import {decodeBudget} from '../../cluster/workloads/decodeController.ts';
import {decodeEndpoints, decodeService, endpointsIn} from '../../cluster/workloads/decodeService.ts';
import {decodeAttachment, decodeClaim, decodeVolume} from '../../cluster/workloads/decodeVolume.ts';
import {decodePlacedPod} from '../../cluster/workloads/readOccupancy.ts';
import {decoderOf} from '../../cluster/workloads/readRelated.ts';
import {occupancyOf} from '../../core/model/workloads/occupancy.ts';
import type {Related} from '../../core/model/workloads/related.ts';
import type {DumpedObject} from '../format/dumpedObjects.ts';

const ownerKinds: ReadonlySet<string> = new Set([
	'ReplicaSet',
	'Deployment',
	'StatefulSet',
	'DaemonSet',
	'ReplicationController',
	'Job',
]);

/** What belongs to the pods of a dump, as far as it is in it. What is missing there is no problem: nobody asked for it. */
export function relatedOf(objects: readonly DumpedObject[]): Related {
	const all = <T>(kind: string, decode: (value: unknown) => T | undefined): readonly T[] =>
		objects.flatMap((one) => (one.kind === kind ? (decode(one.object) ?? []) : []));
	const controllers = [...ownerKinds].flatMap((kind) => all(kind, decoderOf(kind)));
	return {
		controllers: new Map(controllers.map((one) => [one.uid, one])),
		budgets: all('PodDisruptionBudget', decodeBudget),
		services: all('Service', decodeService),
		claims: all('PersistentVolumeClaim', decodeClaim),
		volumes: all('PersistentVolume', decodeVolume),
		endpoints: endpointsIn(all('EndpointSlice', decodeEndpoints)),
		attachments: all('VolumeAttachment', decodeAttachment),
		occupancy: occupancyOf(all('Pod', decodePlacedPod)),
		problems: [],
	};
}
