import {type RawEvent, subjectOf} from '../../cluster/codec/decodeEvent.ts';
import type {ReportFlaw} from '../../cluster/codec/decodeNode.ts';
import {Decoder} from '../../cluster/codec/decoder.ts';
import {fieldsOf, isObject, textOf, valueAt} from '../../cluster/codec/rawJson.ts';
import {type ComponentSource, decodeStaticPod} from '../../cluster/controlplane/componentFlags.ts';
import {controlPlaneOf} from '../../cluster/controlplane/settingsDiscovery.ts';
import {flagsOfOpenShift, flagsOfServer} from '../../cluster/controlplane/vendorFlags.ts';
import {reportOf} from '../../cluster/kubelet/kubeletReports.ts';
import {nodePodsIn} from '../../cluster/kubelet/nodePressure.ts';
import {decodeBudget} from '../../cluster/workloads/decodeController.ts';
import {decodeEndpoints, decodeService, endpointsIn} from '../../cluster/workloads/decodeService.ts';
import {decodeAttachment, decodeClaim, decodeVolume} from '../../cluster/workloads/decodeVolume.ts';
import {decodePlacedPod} from '../../cluster/workloads/readOccupancy.ts';
import {decoderOf, ownerKinds} from '../../cluster/workloads/readRelated.ts';
import {mapBy} from '../../core/collections/mapBy.ts';
import type {ClusterSnapshot} from '../../core/model/clusterSnapshot.ts';
import type {ControlPlane} from '../../core/model/controlPlane.ts';
import {isControllerManagerLease, type Lease, nodeLeaseNamespace} from '../../core/model/lease.ts';
import {isUnknownNode, type Node} from '../../core/model/node.ts';
import type {Pod} from '../../core/model/pod.ts';
import type {Problem} from '../../core/model/problem.ts';
import {parseVersion} from '../../core/model/versionProfile.ts';
import {occupancyOf} from '../../core/model/workloads/occupancy.ts';
import type {Related} from '../../core/model/workloads/related.ts';
import type {PressureNews} from '../../core/nodepressure/pressureLook.ts';
import {pressureConditionsOf} from '../../core/nodepressure/thresholds/signal.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {formatTimestamp} from '../../dates/utc.ts';
import {ClusterStore} from '../../store/clusterStore.ts';
import {someOf} from '../../text/someOf.ts';
import {UserError} from '../../text/userError.ts';
import {dumpCommand, nameOf, readBytes, uncompressed} from '../format/dumpBytes.ts';
import {compareVersions, type DumpedObject, newestOf, objectsOf} from '../format/dumpedObjects.ts';
import {type DumpFile, dumpFiles} from './dumpFiles.ts';
import {findInstant} from './dumpInstant.ts';
import {timestampsOf} from './timestamps.ts';
import {checkClocks, futureProblem, mostNamed, pastAndFuture} from './wrongClocks.ts';

export type DumpOptions = {
	/** The instant of the forecast; undefined for the dump's own. */
	readonly at?: Instant | undefined;
	/** The stream for `-`. */
	readonly stdin?: NodeJS.ReadableStream;
	/** What was read already, by file, and cannot be read again. */
	readonly streams?: ReadonlyMap<string, Buffer>;
};

/** If `--at` is later than this, the leases of the dump begin to look expired: first that of the leader. */
const staleAfter: Duration = 15 * second;

/**
 * Reads the output of `kubectl get nodes,pods,leases,events -A -o json` (or yaml), from files or folders, with the live
 * decoder. `observedAt` is its newest credible time, never one in the future such as a deletionTimestamp.
 *
 * @throws UserError if it cannot be read, or has no nodes or no times
 */
export async function readDump(
	files: readonly string[],
	{at, stdin = process.stdin, streams = new Map()}: DumpOptions = {},
): Promise<ClusterSnapshot> {
	const name = files.map(nameOf).join(', ');
	const decoder = new Decoder();
	const objects: DumpedObject[] = [];
	/** What the documents are that have no object that is read. */
	const unread: string[] = [];
	let areNodesListed = false;
	for (const file of await dumpFiles(files)) {
		const bytes = async () => streams.get(file.path) ?? readBytes(file.path, stdin);
		for (const document of await documentsOf(file, bytes, decoder.report)) {
			const found = objectsOf(document, decoder.report);
			if (found.length === 0 && isObject(document)) unread.push(kindIn(document));
			for (const object of found) objects.push(object);
			const isList = /List$|^$/.test(textOf(valueAt(document, 'kind')));
			areNodesListed ||= isList && found.some(({kind}) => kind === 'Node');
		}
	}
	const store = new ClusterStore();
	store.apply(newestOf(objects, decoder), 0);
	const {nodes, pods, leases: all = [], ...others} = store.present;
	const kept = all.filter(
		(lease) => lease.namespace === nodeLeaseNamespace || isControllerManagerLease(lease),
	);
	const endpoints = objects.flatMap(({kind, object}) => (kind === 'Endpoints' ? [object] : []));
	const elected = endpoints
		.toSorted(compareVersions)
		.flatMap((object) => decoder.leaderEndpoints.decode(object) ?? [])
		.slice(-1);
	// If a release keeps both, as v1.17 to v1.19 do, they are equal.
	const read = kept.some(isControllerManagerLease) ? kept : [...kept, ...elected];
	if (nodes.length === 0) throw noNodes(name, objects, unread);
	const holder = kept.find(isControllerManagerLease) ?? elected.find(isControllerManagerLease);
	const controlPlane = controlPlaneOf(flagSourcesIn(objects), holder?.holderIdentity ?? '', 'in the file');
	const dead = nodes.filter((node) => isUnknownNode(node));
	const {past, toCome} = pastAndFuture(timestampsOf(objects));
	const hasLeases = kept.some((lease) => lease.namespace === nodeLeaseNamespace);
	const instant = findInstant(past, new Set(dead.map((node) => node.name)), hasLeases);
	const {leases, problems: clockProblems} = checkClocks(read, instant);
	const observedAt = instantOf(instant.newest, at, name);
	const named = unseenNodesOf(objects, nodes, read, pods);
	const isWhole = nodes.length > 1 || areNodesListed || hasLeases;
	const unseenNodes = isWhole || named.length > 0 ? named : [otherNodes];
	return {
		observedAt,
		source: 'file',
		unseenNodes: unseenNodes.length > 0 ? unseenNodes : undefined,
		...releaseOf(controlPlane, nodes),
		controlPlane,
		nodes,
		leases: leases.length > 0 ? leases : undefined,
		pods,
		...others,
		related: relatedOf(objects),
		pressure: pressureIn(objects, nodes, observedAt, decoder.report),
		problems: [
			...missingKinds(leases, pods),
			...missingNodes(unseenNodes, nodes.length),
			...(decoder.problem ? [decoder.problem] : []),
			...clockProblems,
			...futureProblem(toCome),
			...staleness(instant.newest, observedAt),
		],
	};
}

/** That files have no nodes, and what they have. */
function noNodes(name: string, objects: readonly DumpedObject[], unread: readonly string[]): UserError {
	const kinds = Map.groupBy([...objects.map(({kind}) => kind), ...unread], (kind) => kind);
	const counts = [...kinds].map(([kind, {length}]) => `${kind} (${length})`);
	const found = counts.length === 0 ? ', as JSON or YAML' : `, but ${someOf(counts, mostNamed)}`;
	const add = objects.length === 0 ? '' : 'add a second -f that has them, or ';
	return new UserError(`there are no nodes in ${name}${found}`, `${add}write it with: ${dumpCommand}`);
}

/** The kind of a document, and why an API server refused it. */
function kindIn(document: unknown): string {
	const [kind, message] = ['kind', 'message'].map((field) => textOf(valueAt(document, field)));
	return kind === 'Status' ? `${kind}: ${message}` : kind || 'objects without a kind';
}

/** A named file must be valid; a file found in a folder may be anything, and is reported if unreadable. */
async function documentsOf(
	{path, isFound}: DumpFile,
	read: () => Promise<Buffer>,
	report: (flaw: string) => void,
): Promise<readonly unknown[]> {
	// Imported only here: a session with a cluster needs no YAML parser.
	const {mayHoldObjects, parseDocuments} = await import('./dumpDocuments.ts');
	try {
		const bytes = await uncompressed(await read(), path);
		return isFound && !mayHoldObjects(bytes) ? [] : parseDocuments(bytes, nameOf(path));
	} catch (error) {
		if (!isFound || !(error instanceof UserError)) throw error;
		report('file that cannot be read');
		return [];
	}
}

function flagSourcesIn(objects: readonly DumpedObject[]): readonly ComponentSource[] {
	const objectOf = (wanted: DumpedObject['kind']) => objects.find(({kind}) => kind === wanted)?.object;
	return [
		...objects.flatMap(({kind, object}) => {
			if (kind === 'Pod') return decodeStaticPod(object) ?? [];
			return kind === 'Node' ? flagsOfServer(object) : [];
		}),
		...flagsOfOpenShift(objectOf('KubeControllerManager'), objectOf('NodeConfig')),
	];
}

/**
 * The release of the control plane: its images tell it, or else its newest kubelet, which is never newer.
 *
 * @see https://kubernetes.io/releases/version-skew-policy/
 */
function releaseOf(
	{apiServer, controllerManager}: ControlPlane,
	nodes: readonly Node[],
): Pick<ClusterSnapshot, 'kubernetesVersion' | 'isLeastVersion'> {
	const ofControlPlane = apiServer.version ?? controllerManager.version;
	if (ofControlPlane !== undefined) return {kubernetesVersion: ofControlPlane};
	const newestKubelet = nodes
		.flatMap(({kubeletVersion = ''}) => {
			const [major, minor] = parseVersion(kubeletVersion) ?? [];
			return major === undefined || minor === undefined ? [] : {version: kubeletVersion, major, minor};
		})
		.toSorted((a, b) => b.major - a.major || b.minor - a.minor)[0]?.version;
	return newestKubelet === undefined ? {} : {kubernetesVersion: newestKubelet, isLeastVersion: true};
}

function instantOf(newest: Instant, at: Instant | undefined, name: string): Instant {
	if (at === undefined && newest === 0) {
		throw new UserError(
			`${name} does not say when it was written`,
			'set the time, as in --at 2026-01-02T15:04:05Z',
		);
	}
	// Printed times have milliseconds; one that is copied may be below the microseconds of its origin.
	return at === undefined || at === Math.floor(newest) ? newest : at;
}

/**
 * The nodes that pods and leases name, but that are not in the file. They are there, unless something shows the contrary: an
 * event of their removal, or that each node lease of the file has its node, but they have none.
 */
function unseenNodesOf(
	objects: readonly DumpedObject[],
	nodes: readonly Node[],
	leases: readonly Lease[],
	pods: readonly Pod[],
): readonly string[] {
	const names = new Set(nodes.map(({name}) => name));
	const leased = leases.flatMap(({namespace, name}) => (namespace === nodeLeaseNamespace ? name : []));
	const areAllThere = leased.length > 0 && leased.every((name) => names.has(name));
	if (areAllThere) return [];
	const removed = objects.flatMap(({kind, object}) => (kind === 'Event' ? (removedNode(object) ?? []) : []));
	const gone = new Set(removed);
	const named = new Set([...leased, ...pods.map(({nodeName}) => nodeName)]);
	return [...named].filter((name) => name !== '' && !names.has(name) && !gone.has(name));
}

/** What a file shows of kubelets: the pods of nodes under pressure, and their events. It has no statistics. */
function pressureIn(
	objects: readonly DumpedObject[],
	nodes: readonly Node[],
	seenAt: Instant,
	report: ReportFlaw,
): readonly PressureNews[] {
	const reports = objects.flatMap(({kind, object}) => (kind === 'Event' ? (reportOf(object) ?? []) : []));
	const reported = new Set(reports.map(({node}) => node));
	const pressed = nodes
		.filter((node) => pressureConditionsOf(node).length > 0 || reported.has(node.name))
		.map(({name}) => name);
	const pods = Map.groupBy(
		objects.flatMap(({kind, object}) => (kind === 'Pod' ? object : [])),
		(pod) => textOf(valueAt(pod, 'spec.nodeName')),
	);
	const looks = pressed.map((node): PressureNews => {
		const look = {node, seenAt, ...nodePodsIn(pods.get(node) ?? [], report), problems: []};
		return {type: 'looked', look};
	});
	return [{type: 'chosen', nodes: pressed, problems: []}, ...looks, {type: 'reported', reports}];
}

/** The node that an event reports as removed; undefined for any other event. */
function removedNode(value: unknown): string | undefined {
	const event = fieldsOf<RawEvent>(value);
	const {kind, name} = subjectOf(event);
	const isRemoval = event.reason === 'RemovingNode' || event.reason === 'DeletingNode';
	return isRemoval && kind === 'Node' ? name : undefined;
}

/** Stands for the nodes beside one that was asked for by its name. */
const otherNodes = 'other nodes';

function missingNodes(unseen: readonly string[], seen: number): readonly Problem[] {
	if (unseen.length === 0) return [];
	if (unseen[0] === otherNodes) {
		const message = `the file has no list of nodes: there may be more than the one in it, and whether zones evict depends on them; ${dumpCommand} writes all`;
		return [{reason: 'NodesMissing', message}];
	}
	const message =
		`the file has ${seen} of ${seen + unseen.length} nodes: nothing is known of ${someOf(unseen, mostNamed)}, nor of their pods; ` +
		`${dumpCommand} writes all`;
	return [{reason: 'NodesMissing', message}];
}

const unleased = 'node leases, so that it does not show which nodes are silent';

function missingKinds(leases: readonly unknown[], pods: readonly unknown[]): readonly Problem[] {
	const missing = (what: string) => `the file has no ${what}; ${dumpCommand} writes them`;
	return [
		...(leases.length === 0 ? [{reason: 'LeasesMissing', message: missing(unleased)}] : []),
		...(pods.length === 0 ? [{reason: 'PodsMissing', message: missing('pods')}] : []),
	];
}

/** A dump shows one moment: long after it, no lease has been renewed, as if everything had failed. */
function staleness(newest: Instant, observedAt: Instant): readonly Problem[] {
	const age = observedAt - newest;
	if (newest === 0 || (age <= staleAfter && age >= 0)) return [];
	const where = `${Math.abs(Math.round(age / second))} s ${age > 0 ? 'after' : 'before'}`;
	const what =
		age > 0
			? 'nodes and controllers that renewed a lease after that look dead'
			: 'the file shows already what happened until then';
	const message = `--at is ${where} the newest time in the file, ${formatTimestamp(newest)}: ${what}`;
	return [{reason: 'StaleDump', message}];
}

/** The related objects in a dump. Missing ones are no problem, as they were not requested. */
function relatedOf(objects: readonly DumpedObject[]): Related {
	const all = <T>(kind: string, decode: (value: unknown) => T | undefined): readonly T[] =>
		objects.flatMap((dumped) => (dumped.kind === kind ? (decode(dumped.object) ?? []) : []));
	const controllers = [...ownerKinds.keys()].flatMap((kind) => all(kind, decoderOf(kind)));
	return {
		controllers: mapBy(controllers, (controller) => controller.uid),
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
