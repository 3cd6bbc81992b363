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
import {toldTimes} from './toldTimes.ts';
import {checkClocks} from './wrongClocks.ts';

export type DumpOptions = {
	/** The instant to forecast from; the dump's own where undefined. */
	readonly at?: Instant | undefined;
	/** What `-` reads. */
	readonly stdin?: NodeJS.ReadableStream;
};

/** From when on an instant is too late for a dump: its leases have all run out. */
const staleAfter: Duration = minute;

/**
 * Reads what `kubectl get nodes,pods,leases,events -A -o json` (or yaml) printed, into one file or several, or a folder of
 * them, through the decoder of the live cluster. `observedAt` is the newest time in it that can be believed, never one that lies ahead as a deletionTimestamp does.
 *
 * @throws UserError where it cannot be read, has no nodes, tells no time, or `at` lies before what it shows.
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
	// Two documents may show one object; where they do not tell which is the newer, it is the later one.
	const nodes = decodeKind(objects, 'Node', decoder.node);
	const pods = decodeKind(objects, 'Pod', decoder.pod);
	const elected = decodeKind(objects, 'Endpoints', decoder.leaderEndpoints);
	const kept = decodeKind(objects, 'Lease', decoder.lease).filter(isOfInterest);
	// Where both are kept, as in v1.17 to v1.19, they tell the same.
	const read = kept.some(isControllerManagerLease) ? kept : [...kept, ...elected];
	const events = decodeKind(objects, 'Event', decoder.event);
	const repair = objects.flatMap((one) => repairObjectOf(one) ?? []);
	if (nodes.length === 0)
		throw new UserError(`there are no nodes in ${name}`, `write it with: ${dumpCommand}`);
	const deviceObjects = deviceKinds.flatMap((kind) =>
		decodeKind(objects, kind, (value) => decoder.deviceObject(kind, value)),
	);
	const dead = nodes.filter((node) => isUnknownNode(node));
	const instant = findInstant(toldTimes(objects), new Set(dead.map((node) => node.name)));
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

/** What was named has to make sense; what only lies in a folder may be anything, and is counted where it cannot be read. */
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
	// Times are printed to the millisecond: one copied from there may lie below the microsecond of its origin.
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

/** A file shows one moment: long after it, nobody has renewed anything, which looks as if all had died. */
function staleness(newest: Instant, observedAt: Instant): readonly Problem[] {
	const age = observedAt - newest;
	if (newest === 0 || age <= staleAfter) return [];
	const message =
		`--at is ${Math.round(age / second)} s after the newest time in the file, ${formatTimestamp(newest)}: ` +
		'nodes and controllers that renewed a lease after that look dead';
	return [{reason: 'StaleDump', message}];
}

/** What belongs to the pods of a dump, as far as it is in it. What is missing there is no problem: nobody asked for it. */
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
