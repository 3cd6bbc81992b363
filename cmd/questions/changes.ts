import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import type {DeviceIdentity} from '../../src/core/model/device.ts';
import {podKey} from '../../src/core/model/pod.ts';
import {outOfServiceTaint} from '../../src/core/model/taint.ts';
import {zoneKey, zoneLabel} from '../../src/core/model/zone.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {formatTimestamp} from '../../src/dates/utc.ts';
import {poolsOf} from '../../src/forecast/conclude/deviceEvictions.ts';
import type {Change, ChangeKind} from '../../src/forecast/simulate/change.ts';
import {tolerating} from '../../src/forecast/whatif/remedy.ts';
import {UserError} from '../../src/text/userError.ts';
import type {ChangeRequest, RequestedTime} from './changeRequests.ts';
import {isThere, type NameScene, notFound, podNamed} from './names.ts';

/** Resolves the names of a request. */
export type ChangeScene = NameScene & Pick<ClusterSnapshot, 'deviceObjects'> & {readonly now: Instant};

/** Resolves requests into changes. @throws UserError if an object does not exist, or the time is in the past */
export function changesOf(requests: readonly ChangeRequest[], scene: ChangeScene): readonly Change[] {
	return requests.flatMap((request) => {
		const at = instantOf(request.time, scene.now, request.flag);
		return kindsOf(request, scene).map((kind): Change => ({at, ...kind}));
	});
}

function instantOf(time: RequestedTime, now: Instant, flag: string): Instant {
	const at = 'at' in time ? time.at : now + time.after;
	if (at >= now) return at;
	const hint = `the forecast is of ${formatTimestamp(now)}: give a later time, or one from then, as in @+2m`;
	throw new UserError(`--${flag}: ${formatTimestamp(at)} is in the past`, hint);
}

function kindsOf(request: ChangeRequest, scene: ChangeScene): readonly ChangeKind[] {
	switch (request.type) {
		case 'nodeDown':
		case 'nodeBack':
		case 'deleteNode':
			return [{type: request.type, node: nodeNamed(request.node, request.flag, scene)}];
		case 'cordon':
			return [{type: 'cordon', node: nodeNamed(request.node, request.flag, scene), unschedulable: true}];
		case 'outOfService':
			return [{type: 'taint', node: nodeNamed(request.node, request.flag, scene), taint: outOfServiceTaint}];
		case 'zoneDown':
		case 'zoneBack': {
			const type = request.type === 'zoneDown' ? 'nodeDown' : 'nodeBack';
			return nodesOfZone(request.zone, request.flag, scene).map((node) => ({type, node}));
		}
		case 'taint':
			return [{type: 'taint', node: nodeNamed(request.node, request.flag, scene), taint: request.taint}];
		case 'untaint': {
			const {key, effect} = request;
			const node = nodeNamed(request.node, request.flag, scene);
			return [{type: 'untaint', node, key, ...(effect && {effect})}];
		}
		case 'deviceTaint':
			return [
				{type: 'deviceTaint', device: deviceNamed(request.device, request.flag, scene), taint: request.taint},
			];
		case 'toleration': {
			const pod = podNamed(request.pod, scene);
			return [{type: 'tolerations', pod: podKey(pod), tolerations: tolerating(pod, request.seconds)}];
		}
		case 'controllersDown':
			return [{type: 'controllersDown'}];
		case 'controllersStart':
			return [{type: 'controllersStart', ...(request.settings && {settings: request.settings})}];
	}
}

function nodeNamed(name: string, flag: string, scene: ChangeScene): string {
	const node = {kind: 'nodes', name} as const;
	if (isThere(node, scene)) return name;
	throw notFound(node, scene, `--${flag}: `);
}

function deviceNamed(
	device: DeviceIdentity,
	flag: string,
	{deviceObjects = []}: ChangeScene,
): DeviceIdentity {
	const slices = deviceObjects.filter((one) => one.kind === 'ResourceSlice');
	if (poolsOf(slices).device(device)) return device;
	const name = `${device.driver}/${device.pool}/${device.device}`;
	throw new UserError(
		`--${flag}: device ${JSON.stringify(name)} not found`,
		slices.length === 0
			? 'no ResourceSlices were seen: the cluster has none, or they may not be read'
			: 'see `kubectl get resourceslices`: DRIVER/POOL/DEVICE of the newest generation of the pool',
	);
}

function nodesOfZone(zone: string, flag: string, scene: ChangeScene): readonly string[] {
	const names = scene.nodes.filter((node) => zoneLabel(zoneKey(node)) === zone).map(({name}) => name);
	if (names.length > 0) return names;
	throw notFound({kind: 'zones', name: zone}, scene, `--${flag}: `);
}
