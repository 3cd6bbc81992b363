import type {ApiObject} from '../encode/apiObject.ts';
import type {RawContainerStatus, RawPod} from '../encode/rawObjects.ts';
import {ageColumn, nameColumn, pathColumn, type ServerColumn, textColumn, wide} from './column.ts';

/** The columns of `kubectl get pods`. @upstream kubernetes v1.36.3 pkg/printers/internalversion/printers.go */
export const podColumns: readonly ServerColumn[] = [
	nameColumn,
	textColumn('Ready', readyOf),
	textColumn('Status', statusOf),
	textColumn('Restarts', (pod) => String(sum(containersOf(pod).map(({restartCount}) => restartCount)))),
	ageColumn,
	wide(pathColumn('IP', 'status.podIP', '<none>')),
	wide(pathColumn('Node', 'spec.nodeName', '<none>')),
	wide(pathColumn('Nominated Node', 'status.nominatedNodeName', '<none>')),
	wide(textColumn('Readiness Gates', () => '<none>')),
];

const containersOf = (object: ApiObject): readonly RawContainerStatus[] =>
	(object as RawPod).status?.containerStatuses ?? [];

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

function readyOf(object: ApiObject): string {
	const total = (object as RawPod).spec?.containers?.length ?? 0;
	return `${containersOf(object).filter(({ready}) => ready).length}/${total}`;
}

function statusOf(object: ApiObject): string {
	const {status, metadata} = object as RawPod;
	if (metadata.deletionTimestamp !== undefined) {
		return status?.reason === 'NodeLost' ? 'Unknown' : 'Terminating';
	}
	// The first container that cannot run says more than the phase does.
	const reasons = containersOf(object).map(
		({state}) => state?.['waiting']?.reason ?? state?.['terminated']?.reason,
	);
	return reasons.find((reason) => reason !== undefined) ?? status?.reason ?? status?.phase ?? 'Unknown';
}
