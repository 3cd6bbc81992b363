import {mapWithConcurrency} from '../../async/mapWithConcurrency.ts';
import {maxOf} from '../../core/collections/extremes.ts';
import {mapBy} from '../../core/collections/mapBy.ts';
import type {ClusterEvent} from '../../core/model/clusterEvent.ts';
import type {ClusterSnapshot} from '../../core/model/clusterSnapshot.ts';
import type {DeviceObject} from '../../core/model/device.ts';
import {type Lease, nodeLeaseNamespace} from '../../core/model/lease.ts';
import {isReadyNode, type Node} from '../../core/model/node.ts';
import type {Observation} from '../../core/model/observation.ts';
import {type Pod, podKey} from '../../core/model/pod.ts';
import type {Problem} from '../../core/model/problem.ts';
import type {RepairObject} from '../../core/model/repairObject.ts';
import {looksUnhealthy} from '../../core/noderepair/nodeRepair.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {UserError} from '../../text/userError.ts';
import {Decoder} from '../codec/decoder.ts';
import {readVersion} from '../controlplane/apiServer.ts';
import {findDeviceResources, findRepairResources} from '../controlplane/servedCollections.ts';
import {countOf, type ListedObjects, list} from '../transport/list.ts';
import {distinct, problemOf} from '../transport/problem.ts';
import {hasStatus} from '../transport/requestError.ts';
import {
	events,
	isLeaderInEndpoints,
	leaderEndpoints,
	leaderLease,
	nodeLeases,
	nodes,
	podsOf,
	type Resource,
	taintsDevicesByDefault,
} from '../transport/resource.ts';
import type {Selection} from '../transport/selection.ts';
import type {Transport} from '../transport/transport.ts';
import {maxWatches} from './followedPods.ts';
import {collectionsOf, fixedCollections, labelsOf} from './podCollections.ts';

/**
 * Reads a cluster once. Forbidden resources are problems in the snapshot, which is without nodes if these are forbidden.
 *
 * @throws UserError if the nodes cannot be read for another reason
 */
export async function takeSnapshot(transport: Transport, selection: Selection): Promise<ClusterSnapshot> {
	const decoder = new Decoder();
	const [problems, deviceProblems]: [Problem[], Problem[]] = [[], []];
	const attempt = attemptWith(problems);
	const listPods = async (resource: Resource<Pod>) => {
		// A refusal for one node applies to all.
		if (problems.some(({reason}) => reason === 'PodsForbidden')) return [];
		return (await attempt('Pods', list(transport, resource)))?.objects ?? [];
	};
	// In parallel: these pods do not depend on the nodes, and a pod whose node was created later is not orphaned.
	const fixed = mapWithConcurrency(fixedCollections(selection.pods, labelsOf(selection), decoder), listPods);
	// Marks the promise as handled; it is awaited below.
	fixed.catch(() => undefined);
	const refused = (error: unknown): undefined => {
		if (!hasStatus(error, 403)) throw error;
		problems.push(problemOf('Nodes', error));
	};
	const [listedNodes, kubernetesVersion, heartbeats, leader, devices, listedEvents] = await Promise.all([
		list(transport, nodes(decoder)).catch(refused),
		attempt('Version', readVersion(transport)),
		attempt('Leases', list(transport, nodeLeases(decoder))),
		attempt('LeaderLease', list(transport, leaderLease(decoder))),
		readDevices(transport, attemptWith(deviceProblems), decoder),
		Promise.all(events(selection, decoder).map((resource) => attempt('Events', list(transport, resource)))),
	]);
	const inEndpoints =
		leader?.objects.length === 0 && isLeaderInEndpoints(kubernetesVersion)
			? await attempt('LeaderEndpoints', list(transport, leaderEndpoints(decoder)))
			: undefined;
	const leaders = [...(leader?.objects ?? []), ...(inEndpoints?.objects ?? [])];
	const {correction} = transport.clockOffset;
	const asOf =
		instantOf([listedNodes, heartbeats], [leader, inEndpoints], listedEvents, correction) ??
		transport.timing.now();
	const observedAt = asOf + correction;
	const nodesSeen = listedNodes?.objects ?? [];
	const leases = heartbeats && [...heartbeats.objects, ...leaders];
	const chosen = chosenCollections(selection, nodesSeen, [leases ?? [], devices], {
		observedAt,
		decoder,
		transport,
	});
	const [fixedPods, chosenPods, repair] = await Promise.all([
		fixed,
		chosen.then((collections) => mapWithConcurrency(collections, listPods)),
		// Healthy nodes are not repaired.
		mayNeedRepair(nodesSeen, leases ?? [], observedAt) ? listRepair(transport, attempt) : [],
	]);
	const listedPods = [...fixedPods, ...chosenPods];
	return {
		observedAt,
		source: 'cluster',
		kubernetesVersion,
		nodes: nodesSeen,
		leases,
		leaderLease: leaders[0],
		pods: listedPods.length === 1 ? (listedPods[0] ?? []) : withoutDuplicates(listedPods),
		deviceObjects: devices.length > 0 ? devices : undefined,
		events: listedEvents.some((one) => one)
			? listedEvents.flatMap((one) => (one ? eventsUpTo(asOf, observedAt, one) : []))
			: undefined,
		repair: repair.length > 0 ? repair : undefined,
		problems: distinct([
			...problems,
			// Not reported for releases with device evictions off by default.
			...(taintsDevicesByDefault(kubernetesVersion) ? deviceProblems : []),
			...[decoder.problem, transport.clockOffset.problem],
		]),
	};
}

type Attempt = <T>(
	name: Parameters<typeof problemOf>[0],
	reading: Promise<T>,
	isOptional?: boolean,
) => Promise<T | undefined>;

/** Turns failures into problems; that an optional API is not served is none. */
const attemptWith =
	(problems: Problem[]): Attempt =>
	(name, reading, isOptional = false) =>
		reading.catch((error: unknown) => {
			if (!(error instanceof UserError)) throw error;
			if (!isOptional || !hasStatus(error, 404)) problems.push(problemOf(name, error));
			return undefined;
		});

/** Reads claims and rules only if there are slices: most clusters have none, and old ones lack the API. */
async function readDevices(
	transport: Transport,
	attempt: Attempt,
	decoder: Decoder,
): Promise<readonly DeviceObject[]> {
	const read = async (resource: Resource<DeviceObject>) =>
		(await attempt(resource.name, list(transport, resource), true))?.objects ?? [];
	const [first, ...others] = (await attempt('ResourceSlices', findDeviceResources(transport, decoder))) ?? [];
	const slices = first?.name === 'ResourceSlices' ? await read(first) : [];
	if (slices.length === 0) return [];
	return [slices, ...(await Promise.all(others.map(read)))].flat();
}

/**
 * The instant that the nodes and leases show: when their first pages came. Later pages do not make leases old: reading a
 * large cluster takes seconds, and a throttled side list may be half a minute late, which would make the kubelets seem late.
 */
function instantOf(
	main: readonly (ListedObjects<unknown> | undefined)[],
	leaders: readonly (ListedObjects<Lease> | undefined)[],
	others: readonly (ListedObjects<unknown> | undefined)[],
	correction: Duration,
): Instant | undefined {
	const asOf = latest(main) ?? latest([...leaders, ...others]);
	if (asOf === undefined) return undefined;
	// A controller manager that took over after `asOf` must not count as running at it: it restarts every kubelet's grace
	// period.
	const tookOver = leaders.some((one) =>
		one?.objects.some(({acquireTime}) => acquireTime !== undefined && acquireTime > asOf + correction),
	);
	return tookOver ? latest([...main, ...leaders]) : asOf;
}

function latest(lists: readonly (ListedObjects<unknown> | undefined)[]): Instant | undefined {
	const instants = lists.flatMap((one) => one?.asOf ?? []);
	return instants.length > 0 ? maxOf(instants) : undefined;
}

/** Drops events of later states of the nodes, if the events were listed later. */
const eventsUpTo = (asOf: Instant, observedAt: Instant, listed: ListedObjects<ClusterEvent>) =>
	listed.asOf - asOf < second
		? listed.objects
		: listed.objects.filter(({createdAt, last}) => Math.max(createdAt, last.at) <= observedAt);

/** The objects of node repair, of the API groups that are served. */
async function listRepair(transport: Transport, attempt: Attempt): Promise<readonly RepairObject[]> {
	const resources = await attempt('NodeRepair', findRepairResources(transport));
	const lists = (resources ?? []).map((one) => attempt('NodeRepair', list(transport, one), true));
	return (await Promise.all(lists)).flatMap((listed) => listed?.objects ?? []);
}

/** Whether a node may need repair: it is not ready, has another unhealthy condition, or its lease is late. */
const mayNeedRepair = (nodes: readonly Node[], leases: readonly Lease[], now: Instant) =>
	nodes.some((node) => !isReadyNode(node) || looksUnhealthy(node)) ||
	leases.some(
		({namespace, renewTime = now}) => namespace === nodeLeaseNamespace && now - renewTime > lateRenewal,
	);

/** Two renewal intervals of kubelets. */
const lateRenewal: Duration = 20 * second;

async function chosenCollections(
	selection: Selection,
	nodes: readonly Node[],
	[leases, devices]: readonly [readonly Lease[], readonly DeviceObject[]],
	{
		observedAt,
		decoder,
		transport,
	}: {readonly observedAt: Instant; readonly decoder: Decoder; readonly transport: Transport},
): Promise<readonly Resource<Pod>[]> {
	if (selection.pods.type !== 'chosen') return [];
	const {chooser} = selection.pods;
	const seen: readonly Observation[] = [
		...nodes.map((node) => ({type: 'nodeApplied', node}) as const),
		...leases.map((lease) => ({type: 'leaseApplied', lease}) as const),
		...devices.map((object) => ({type: 'deviceObjectApplied', object}) as const),
	];
	const names = chooser.first(seen, observedAt);
	const pods = podsOf(undefined, decoder, labelsOf(selection));
	// Fewer lists are not worth asking how many pods there are.
	const podCount =
		names.length > maxWatches ? await countOf(transport, pods).catch(() => undefined) : undefined;
	return collectionsOf(names, nodes, podCount, labelsOf(selection), decoder);
}

/** A pod that is requested by name may be on a requested node. */
const withoutDuplicates = (lists: readonly (readonly Pod[])[]): readonly Pod[] => [
	...mapBy(lists.flat(), podKey).values(),
];
