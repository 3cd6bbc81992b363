import type {ApiObject} from '../encode/apiObject.ts';
import type {RawNode} from '../encode/rawObjects.ts';
import {ageColumn, nameColumn, pathColumn, type ServerColumn, textColumn, wide} from './column.ts';

const roleLabel = 'node-role.kubernetes.io/';

/** The columns of `kubectl get nodes`. @upstream kubernetes v1.36.3 pkg/printers/internalversion/printers.go */
export const nodeColumns: readonly ServerColumn[] = [
	nameColumn,
	textColumn('Status', statusOf),
	textColumn('Roles', rolesOf),
	ageColumn,
	pathColumn('Version', 'status.nodeInfo.kubeletVersion'),
	wide(textColumn('Internal-IP', (node) => addressOf(node, 'InternalIP'))),
	wide(textColumn('External-IP', (node) => addressOf(node, 'ExternalIP'))),
	wide(pathColumn('OS-Image', 'status.nodeInfo.osImage', '<unknown>')),
	wide(pathColumn('Kernel-Version', 'status.nodeInfo.kernelVersion', '<unknown>')),
	wide(pathColumn('Container-Runtime', 'status.nodeInfo.containerRuntimeVersion', '<unknown>')),
];

function statusOf(object: ApiObject): string {
	const {spec, status} = object as RawNode;
	const ready = status?.conditions?.find(({type}) => type === 'Ready');
	const health = !ready ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
	return spec?.unschedulable ? `${health},SchedulingDisabled` : health;
}

function rolesOf({metadata}: ApiObject): string {
	const roles = Object.keys(metadata.labels ?? {})
		.filter((label) => label.startsWith(roleLabel))
		.map((label) => label.slice(roleLabel.length));
	return roles.toSorted().join(',') || '<none>';
}

function addressOf(object: ApiObject, wanted: string): string {
	const {status} = object as RawNode;
	return status?.addresses?.find(({type}) => type === wanted)?.address ?? '<none>';
}
