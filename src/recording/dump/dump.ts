import {Decoder} from '../../cluster/codec/decoder.ts';
import {decodeBudget} from '../../cluster/workloads/decodeController.ts';
import {decodeEndpoints, decodeService, endpointsIn} from '../../cluster/workloads/decodeService.ts';
import {decodeAttachment, decodeClaim, decodeVolume} from '../../cluster/workloads/decodeVolume.ts';
import {decodePlacedPod} from '../../cluster/workloads/readOccupancy.ts';
import {decoderOf, ownerKinds} from '../../cluster/workloads/readRelated.ts';
import type {ClusterSnapshot} from '../../core/model/clusterSnapshot.ts';
import {deviceKinds} from '../../core/model/device.ts';
import {isControllerManagerLease, type Lease, nodeLeaseNamespace} from '../../core/model/lease.ts';
import {isUnknownNode} from '../../core/model/node.ts';
import type {Problem} from '../../core/model/problem.ts';
import {occupancyOf} from '../../core/model/workloads/occupancy.ts';
import type {Related} from '../../core/model/workloads/related.ts';
import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import {formatTimestamp} from '../../dates/utc.ts';
import {UserError} from '../../text/userError.ts';
import {nameOf, readDumpBytes} from '../format/dumpBytes.ts';
import {compareVersions, type DumpedObject, objectsOf, repairObjectOf} from '../format/dumpedObjects.ts';
import {dumpCommand, mayHoldObjects, parseDocuments} from './dumpDocuments.ts';
import {type DumpFile, dumpFiles} from './dumpFiles.ts';
import {findInstant} from './dumpInstant.ts';
import {timestampsOf} from './timestamps.ts';
import {checkClocks} from './wrongClocks.ts';

export type DumpOptions = {
	/** The instant of the forecast; undefined for the dump's own. */
	readonly at?: Instant | undefined;
	/** The stream for `-`. */
	readonly stdin?: NodeJS.ReadableStream;
};

/** If `--at` is later than this, all leases of the dump have expired. */
const staleAfter: Duration = minute;

/**
 * Reads the output of `kubectl get nodes,pods,leases,events -A -o json` (or yaml), from files or folders, with the live
 * decoder. `observedAt` is its newest credible time, never one in the future such as a deletionTimestamp.
 *
 * @throws UserError if it cannot be read, has no nodes or no times, or if `at` is before its newest time
 */
export async function readDump(
	files: readonly string[],
	{at, stdin = process.stdin}: DumpOptions = {},
): Promise<ClusterSnapshot> {
	const name = files.map(nameOf).join(', ');
	const decoder = new Decoder();
	const objects: DumpedObject[] = [];
	for (const file of await dumpFiles(files)) {
		for (const document of await documentsOf(file, stdin, decoder.report)) {
			for (const object of objectsOf(document, decoder.report)) objects.push(object);
		}
	}
	// If several documents show one object, and their versions are not comparable, the last one wins.
	const nodes = decodeKind(objects, 'Node', decoder.node);
	const pods = decodeKind(objects, 'Pod', decoder.pod);
	const elected = decodeKind(objects, 'Endpoints', decoder.leaderEndpoints);
	const kept = decodeKind(objects, 'Lease', decoder.lease).filter(isOfInterest);
	// If a release keeps both, as v1.17 to v1.19 do, they are equal.
	const read = kept.some(isControllerManagerLease) ? kept : [...kept, ...elected];
	const events = decodeKind(objects, 'Event', decoder.event);
	const repair = objects.flatMap((one) => repairObjectOf(one) ?? []);
	if (nodes.length === 0)
		throw new UserError(`there are no nodes in ${name}`, `write it with: ${dumpCommand}`);
	const deviceObjects = deviceKinds.flatMap((kind) =>
		decodeKind(objects, kind, (value) => decoder.deviceObject(kind, value)),
	);
	const dead = nodes.filter((node) => isUnknownNode(node));
	const instant = findInstant(timestampsOf(objects), new Set(dead.map((node) => node.name)));
	const {leases, problems: clockProblems} = checkClocks({nodes, leases: read}, instant);
	const observedAt = instantOf(instant.newest, at, name);
	return {
		observedAt,
		source: 'file',
		nodes,
		leases: leases.length > 0 ? leases : undefined,
		pods,
		...(deviceObjects.length > 0 && {deviceObjects}),
		events,
		...(repair.length > 0 && {repair}),
		related: relatedOf(objects),
		problems: [
			...missingKinds(leases, pods),
			...(decoder.problem ? [decoder.problem] : []),
			...clockProblems,
			...staleness(instant.newest, observedAt),
		],
	};
}

/** A named file must be valid; a file found in a folder may be anything, and is reported if unreadable. */
async function documentsOf(
	{path, isFound}: DumpFile,
	stdin: NodeJS.ReadableStream,
	report: (flaw: string) => void,
): Promise<readonly unknown[]> {
	try {
		const bytes = await readDumpBytes(path, stdin);
		return isFound && !mayHoldObjects(bytes, path) ? [] : parseDocuments(bytes, nameOf(path));
	} catch (error) {
		if (!isFound || !(error instanceof UserError)) throw error;
		report('file that cannot be read');
		return [];
	}
}

function decodeKind<T extends {readonly name: string; readonly namespace?: string}>(
	objects: readonly DumpedObject[],
	kind: DumpedObject['kind'],
	decode: (value: unknown) => T | undefined,
): readonly T[] {
	const byKey = new Map<string, {readonly decoded: T; readonly object: unknown}>();
	for (const {kind: itsKind, object} of objects) {
		const decoded = itsKind === kind ? decode(object) : undefined;
		if (!decoded) continue;
		const key = `${decoded.namespace ?? ''}/${decoded.name}`;
		const before = byKey.get(key);
		if (!before || compareVersions(before.object, object) <= 0) byKey.set(key, {decoded, object});
	}
	return [...byKey.values()].map(({decoded}) => decoded);
}

const isOfInterest = (lease: Lease) =>
	lease.namespace === nodeLeaseNamespace || isControllerManagerLease(lease);

function instantOf(newest: Instant, at: Instant | undefined, name: string): Instant {
	if (at === undefined && newest === 0) {
		throw new UserError(
			`${name} does not say when it was written`,
			'set the time, as in --at 2026-01-02T15:04:05Z',
		);
	}
	if (at === undefined) return newest;
	// Printed times have milliseconds; one that is copied may be below the microseconds of its origin.
	if (at < Math.floor(newest)) {
		throw new UserError(
			`--at ${formatTimestamp(at)} is before the newest time in ${name}, ${formatTimestamp(newest)}`,
			'a dump has one moment: use that time or a later one, or leave --at out',
		);
	}
	return Math.max(at, newest);
}

function missingKinds(leases: readonly unknown[], pods: readonly unknown[]): readonly Problem[] {
	const missing = (what: string) => `the file has no ${what}; ${dumpCommand} writes them`;
	return [
		...(leases.length === 0 ? [{reason: 'LeasesMissing', message: missing('node leases')}] : []),
		...(pods.length === 0 ? [{reason: 'PodsMissing', message: missing('pods')}] : []),
	];
}

/** A dump shows one moment: long after it, no lease has been renewed, as if everything had failed. */
function staleness(newest: Instant, observedAt: Instant): readonly Problem[] {
	const age = observedAt - newest;
	if (newest === 0 || age <= staleAfter) return [];
	const message =
		`--at is ${Math.round(age / second)} s after the newest time in the file, ${formatTimestamp(newest)}: ` +
		'nodes and controllers that renewed a lease after that look dead';
	return [{reason: 'StaleDump', message}];
}

/** The related objects in a dump. Missing ones are no problem, as they were not requested. */
function relatedOf(objects: readonly DumpedObject[]): Related {
	const all = <T>(kind: string, decode: (value: unknown) => T | undefined): readonly T[] =>
		objects.flatMap((one) => (one.kind === kind ? (decode(one.object) ?? []) : []));
	const controllers = [...ownerKinds.keys()].flatMap((kind) => all(kind, decoderOf(kind)));
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
