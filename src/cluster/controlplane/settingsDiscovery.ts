import type {V1Node} from '@kubernetes/client-node';
import {unique} from '../../core/collections/unique.ts';
import type {ComponentLook, ComponentName, ControlPlane} from '../../core/model/controlPlane.ts';
import type {Problem} from '../../core/model/problem.ts';
import {UserError} from '../../text/userError.ts';
import {Decoder} from '../codec/decoder.ts';
import {itemsOf, partsOf, textMapOf} from '../codec/rawJson.ts';
import {list} from '../transport/list.ts';
import {hasStatus} from '../transport/requestError.ts';
import {leaderLease} from '../transport/resource.ts';
import type {Query, Transport} from '../transport/transport.ts';
import type {ClusterIdentity} from './clusterIdentity.ts';
import {type ComponentSource, decodeStaticPod} from './componentFlags.ts';
import {flagsOfOpenShift, flagsOfServer} from './vendorFlags.ts';

const path = '/api/v1/namespaces/kube-system';

/** How many of kube-system's pods are searched if static pods have no component label: the first frame waits for it. */
const mostPods = '500';

/** Reads the flags of the control plane. Failures become problems or reasons, never errors. */
export async function discoverControlPlane(
	transport: Transport,
	identity: ClusterIdentity,
): Promise<ControlPlane> {
	const [pods, leader] = await Promise.all([
		orError(readStaticPods(transport)),
		orError(readLeader(transport)),
		// If another cluster answers later, that is noticed.
		orError(identity.read()),
	]);
	const isShown = !(pods instanceof UserError) && pods.length > 0;
	const sources = isShown ? pods : await readVendorObjects(transport);
	if (pods instanceof UserError && sources.length === 0) {
		const isForbidden = hasStatus(pods, 403);
		const unknown = `the pods of kube-system ${isForbidden ? 'may not' : 'cannot'} be read: ${pods.message}`;
		const message = `${pods.message}: the controllers' flags are not seen; defaults are assumed`;
		const problem = {reason: `ControlPlane${isForbidden ? 'Forbidden' : 'Unreadable'}`, message};
		return {controllerManager: {unknown}, apiServer: {unknown}, problems: [problem]};
	}
	return controlPlaneOf(sources, leader instanceof UserError ? '' : leader, 'in kube-system');
}

/**
 * The flags of a control plane by its static pods, else by objects of a vendor, from a cluster or a file.
 *
 * @param holder the identity in the controller manager's lease; empty if it is not known
 * @param where where the pods were looked for, in words
 */
export function controlPlaneOf(
	pods: readonly ComponentSource[],
	holder: string,
	where: string,
): ControlPlane {
	const managers = choose('kube-controller-manager', pods, where, holder);
	// Each API server admits pods: none of them leads.
	const apiServers = choose('kube-apiserver', pods, where);
	return {
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

async function readStaticPods(transport: Transport): Promise<readonly ComponentSource[]> {
	const byLabel = 'component in (kube-controller-manager,kube-apiserver)';
	const labelled = await readPage(transport, {labelSelector: byLabel});
	return labelled.length > 0 ? labelled : readPage(transport, {});
}

async function readPage(transport: Transport, query: Query): Promise<readonly ComponentSource[]> {
	const answer = await transport.json(`${path}/pods`, {...query, limit: mostPods}, undefined, 'statistics');
	return itemsOf(answer).flatMap((item) => decodeStaticPod(item) ?? []);
}

/** What shows the flags of control planes that have no static pods in kube-system. What cannot be read shows nothing. */
async function readVendorObjects(transport: Transport): Promise<readonly ComponentSource[]> {
	const read = (at: string, query: Query = {}) =>
		orError(transport.json(at, query)).then((answer) => (answer instanceof UserError ? undefined : answer));
	const servers = await read('/api/v1/nodes', {labelSelector: 'node-role.kubernetes.io/control-plane'});
	const nodes = itemsOf(servers);
	if (!nodes.some(isOfOpenShift)) return nodes.flatMap(flagsOfServer);
	return flagsOfOpenShift(
		...(await Promise.all([
			read('/apis/operator.openshift.io/v1/kubecontrollermanagers/cluster'),
			read('/apis/config.openshift.io/v1/nodes/cluster'),
		])),
	);
}

const isOfOpenShift = (node: unknown) =>
	Object.keys(textMapOf(partsOf<V1Node>(node).metadata.labels)).some((name) =>
		name.startsWith('node.openshift.io/'),
	);

/** Chooses a component's pod, the leader's if known; reports differing flags. */
function choose(
	component: ComponentName,
	all: readonly ComponentSource[],
	where: string,
	holder?: string,
): {readonly look: ComponentLook; readonly problems: readonly Problem[]} {
	const ofComponent = all.filter((source) => source.component === component);
	const hasPods = ofComponent.some(({isOfVendor}) => !isOfVendor);
	const pods = ofComponent
		.filter(({isOfVendor}) => !(hasPods && isOfVendor))
		.toSorted((a, b) => (a.seenIn < b.seenIn ? -1 : 1));
	const onHost = pods.filter(({nodeName}) => isHost(nodeName, holder));
	const leader = onHost.length === 1 ? onHost[0] : undefined;
	const chosen = leader ?? onHost[0] ?? pods[0];
	if (!chosen) return {look: {unknown: `no static pod of ${component} is ${where}`}, problems: []};
	const {seenIn, isOfVendor, flags, version} = chosen;
	const differing = differencesOf(pods);
	const isOpen = holder !== undefined && !leader && differing.length > 0;
	if (!flags || (isOpen && pods.some((other) => !other.flags))) {
		const unknown = `the command of ${seenIn} does not show the flags of ${component}`;
		return {look: {unknown, version}, problems: []};
	}
	const others = isOpen
		? pods.flatMap((other) => (other.flags && other !== chosen ? other.flags : []))
		: undefined;
	const look = {seenIn, flags, version, others, isOfVendor};
	if (differing.length === 0) return {look, problems: []};
	const used = isOpen
		? `which of them leads is not known, so ranges allow for ${pods.length > 2 ? 'all' : 'both'}`
		: `those of ${seenIn}${leader ? ', whose process leads,' : ''} are used`;
	const message = `${pods.map((one) => one.seenIn).join(' and ')} have different flags (${differing.join('; ')}): ${used}`;
	return {look, problems: [{reason: 'ControlPlaneDisagrees', message}]};
}

/**
 * Whether a controller manager with this identity runs on the node. The identity is the hostname and a random number; a node's
 * name is the hostname too, and either may be without its domain.
 *
 * @upstream kubernetes v1.36.3 cmd/kube-controller-manager/app/controllermanager.go Run
 */
function isHost(nodeName: string, holder: string | undefined) {
	const host = holder?.replace(/_[^_]*$/, '') ?? '';
	if (host === '' || nodeName === '') return false;
	return host === nodeName || host.startsWith(`${nodeName}.`) || nodeName.startsWith(`${host}.`);
}

function differencesOf(pods: readonly ComponentSource[]): readonly string[] {
	const names = unique(pods.flatMap(({flags}) => [...(flags?.keys() ?? [])])).toSorted();
	return names.flatMap((name) => {
		const values = pods.map(({flags}) => (flags ? (flags.get(name) ?? 'unset') : 'not shown'));
		return new Set(values).size > 1 ? [`--${name}: ${values.join(', ')}`] : [];
	});
}
