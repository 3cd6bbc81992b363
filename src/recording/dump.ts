import {readFile} from 'node:fs/promises';
import {buffer} from 'node:stream/consumers';
import {Decoder} from '../cluster/decoder.ts';
import {messageOf, UserError} from '../cluster/userError.ts';
import type {ClusterSnapshot, Problem} from '../core/model/clusterSnapshot.ts';
import {isControllerManagerLease, type Lease, nodeLeaseNamespace} from '../core/model/lease.ts';
import type {Instant} from '../core/time/instant.ts';
import {dumpCommand, parseDocuments} from './dumpDocuments.ts';
import {type DumpedObject, objectsOf} from './dumpedObjects.ts';
import {newestInstant} from './newestInstant.ts';

export type DumpOptions = {
	/** The instant to forecast from; the dump's own where undefined. */
	readonly at?: Instant | undefined;
	/** What `-` reads. */
	readonly stdin?: NodeJS.ReadableStream;
};

/**
 * Reads what `kubectl get nodes,pods,leases,events -A -o json` (or yaml) printed, through the decoder of the live cluster.
 * `observedAt` is the newest time in it, never one that lies ahead as a deletionTimestamp does.
 *
 * @throws UserError where it cannot be read, has no nodes, tells no time, or `at` lies before what it shows.
 */
export async function readDump(file: string, {at, stdin}: DumpOptions = {}): Promise<ClusterSnapshot> {
	const name = file === '-' ? 'standard input' : file;
	const bytes = file === '-' ? await buffer(stdin ?? process.stdin) : await readBytes(file);
	const objects = parseDocuments(bytes, name).flatMap(objectsOf);
	const decoder = new Decoder();
	// Two documents may show one object twice; the later one is the newer.
	const nodes = decodeKind(objects, 'Node', decoder.node);
	const pods = decodeKind(objects, 'Pod', decoder.pod);
	const leases = decodeKind(objects, 'Lease', decoder.lease).filter(isOfInterest);
	const events = decodeKind(objects, 'Event', decoder.event);
	if (nodes.length === 0)
		throw new UserError(`there are no nodes in ${name}`, `write it with: ${dumpCommand}`);
	return {
		observedAt: instantOf(newestInstant(objects.map(({object}) => object)), at, name),
		source: 'file',
		nodes,
		leases: leases.length > 0 ? leases : undefined,
		pods,
		events,
		problems: problemsOf({leases, pods, decoder}),
	};
}

async function readBytes(file: string): Promise<Buffer> {
	try {
		return await readFile(file);
	} catch (error) {
		throw new UserError(`cannot read ${file}: ${messageOf(error)}`, `write it with: ${dumpCommand}`);
	}
}

function decodeKind<T extends {readonly name: string; readonly namespace?: string}>(
	objects: readonly DumpedObject[],
	kind: DumpedObject['kind'],
	decode: (value: unknown) => T | undefined,
): readonly T[] {
	const byKey = new Map<string, T>();
	for (const {kind: itsKind, object} of objects) {
		const decoded = itsKind === kind ? decode(object) : undefined;
		if (decoded) byKey.set(`${decoded.namespace ?? ''}/${decoded.name}`, decoded);
	}
	return [...byKey.values()];
}

const isOfInterest = (lease: Lease) =>
	lease.namespace === nodeLeaseNamespace || isControllerManagerLease(lease);

function instantOf(newest: Instant, at: Instant | undefined, name: string): Instant {
	if (at === undefined && newest === 0) {
		throw new UserError(
			`nothing in ${name} tells when it was written`,
			'say when, as in --at 2026-01-02T15:04:05Z',
		);
	}
	if (at === undefined) return newest;
	// Times are printed to the millisecond: one copied from there may lie below the microsecond of its origin.
	if (at < Math.floor(newest)) {
		throw new UserError(
			`--at ${formatInstant(at)} lies before the newest time in ${name}, ${formatInstant(newest)}`,
			'a file shows one moment: give that time or a later one, or leave --at out',
		);
	}
	return Math.max(at, newest);
}

const formatInstant = (at: Instant) => new Date(at).toISOString();

function problemsOf(read: {
	readonly leases: readonly unknown[];
	readonly pods: readonly unknown[];
	readonly decoder: Decoder;
}): readonly Problem[] {
	const missing = (what: string) => `the file has no ${what}; ${dumpCommand} writes them`;
	const problems: (Problem | undefined)[] = [
		read.leases.length === 0 ? {reason: 'LeasesMissing', message: missing('node leases')} : undefined,
		read.pods.length === 0 ? {reason: 'PodsMissing', message: missing('pods')} : undefined,
		read.decoder.problem,
	];
	return problems.filter((problem) => problem !== undefined);
}
