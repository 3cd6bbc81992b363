import type {ComponentLook, ComponentName, ControlPlane} from '../../core/model/controlPlane.ts';
import type {Problem} from '../../core/model/problem.ts';
import {UserError} from '../../text/userError.ts';
import {Decoder} from '../codec/decoder.ts';
import {entriesOf, fieldsOf} from '../codec/rawJson.ts';
import {list} from '../transport/list.ts';
import {hasStatus} from '../transport/requestError.ts';
import {leaderLease} from '../transport/resource.ts';
import type {Query, Transport} from '../transport/transport.ts';
import type {ClusterIdentity} from './clusterIdentity.ts';
import {decodeStaticPod, type StaticPod} from './componentFlags.ts';

const path = '/api/v1/namespaces/kube-system';

/** How many of kube-system's pods are searched if static pods have no component label: the first frame waits for it. */
const mostPods = '500';

/** Reads the flags of the control plane. Failures become problems or reasons, never errors. */
export async function discoverControlPlane(
	transport: Transport,
	identity: ClusterIdentity,
): Promise<ControlPlane> {
	const [clusterUid, pods, leader] = await Promise.all([
		orError(identity.read()),
		orError(readStaticPods(transport)),
		orError(readLeader(transport)),
	]);
	const uid = clusterUid instanceof UserError ? '' : clusterUid;
	const known = uid === '' ? {} : {clusterUid: uid};
	if (pods instanceof UserError) {
		const isForbidden = hasStatus(pods, 403);
		const unknown = `the pods of kube-system ${isForbidden ? 'may not' : 'cannot'} be read: ${pods.message}`;
		const message = `${pods.message}: the controllers' flags are not seen; defaults are assumed`;
		const problems = isForbidden ? [{reason: 'ControlPlaneForbidden', message}] : [];
		return {...known, controllerManager: {unknown}, apiServer: {unknown}, problems};
	}
	const holder = leader instanceof UserError ? '' : leader;
	const managers = choose('kube-controller-manager', pods, holder);
	const apiServers = choose('kube-apiserver', pods, '');
	return {
		...known,
		controllerManager: managers.look,
		apiServer: apiServers.look,
		problems: [...managers.problems, ...apiServers.problems],
	};
}

const orError = <T>(reading: Promise<T>): Promise<T | UserError> =>
	reading.catch((error: unknown) => {
		if (error instanceof UserError) return error;
		throw error;
	});

async function readLeader(transport: Transport): Promise<string> {
	const {objects} = await list(transport, leaderLease(new Decoder()));
	return objects[0]?.holderIdentity ?? '';
}

async function readStaticPods(transport: Transport): Promise<readonly StaticPod[]> {
	const byLabel = 'component in (kube-controller-manager,kube-apiserver)';
	const labelled = await readPage(transport, {labelSelector: byLabel});
	return labelled.length > 0 ? labelled : readPage(transport, {});
}

async function readPage(transport: Transport, query: Query): Promise<readonly StaticPod[]> {
	const answer = await transport.json(`${path}/pods`, {...query, limit: mostPods});
	return entriesOf(fieldsOf<{items: unknown}>(answer).items).flatMap((item) => decodeStaticPod(item) ?? []);
}

/** Chooses a component's pod, the leader's if known; reports differing flags. */
function choose(
	component: ComponentName,
	pods: readonly StaticPod[],
	holder: string,
): {readonly look: ComponentLook; readonly problems: readonly Problem[]} {
	const own = pods.filter((pod) => pod.component === component).toSorted((a, b) => (a.pod < b.pod ? -1 : 1));
	const leader = own
		.filter(({nodeName}) => nodeName !== '' && holder.startsWith(nodeName))
		.toSorted((a, b) => b.nodeName.length - a.nodeName.length)[0];
	const chosen = leader ?? own[0];
	if (!chosen) return {look: {unknown: `no static pod of ${component} is in kube-system`}, problems: []};
	const differing = differencesOf(own);
	if (differing.length === 0) return {look: chosen, problems: []};
	const why = leader ? ', whose process leads,' : '';
	const message =
		`${own.map(({pod}) => pod).join(' and ')} have different flags (${differing.join('; ')}): ` +
		`those of ${chosen.pod}${why} are used`;
	return {look: chosen, problems: [{reason: 'ControlPlaneDisagrees', message}]};
}

function differencesOf(pods: readonly StaticPod[]): readonly string[] {
	const names = [...new Set(pods.flatMap(({flags}) => [...flags.keys()]))].toSorted();
	return names.flatMap((name) => {
		const values = pods.map(({flags}) => flags.get(name) ?? 'unset');
		return new Set(values).size > 1 ? [`--${name}: ${values.join(', ')}`] : [];
	});
}
