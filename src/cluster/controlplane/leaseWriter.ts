import type {V1Lease, V1LeaseSpec, V1ObjectMeta} from '@kubernetes/client-node';
import {systemTiming, type Timing} from '../../async/timing.ts';
import {type Instant, second} from '../../core/time/instant.ts';
import {UserError} from '../../text/userError.ts';
import {resolveAccess} from '../access/access.ts';
import type {ConnectionOptions} from '../access/connectionOptions.ts';
import {type Environment, systemEnvironment} from '../access/environment.ts';
import {decodeTime} from '../codec/decodeTime.ts';
import {fieldsOf, numberOf, textOf} from '../codec/rawJson.ts';
import {isLeaseOfOthers} from '../transport/leasesOfOthers.ts';
import {hasStatus} from '../transport/requestError.ts';
import {openTransport} from '../transport/transport.ts';

/** Who leads, as a lease has it. */
export type LeaderRecord = {
	/** Empty where nobody leads. */
	readonly holderIdentity: string;
	readonly leaseDurationSeconds: number;
	readonly acquireTime: Instant;
	readonly renewTime: Instant;
	readonly leaseTransitions: number;
};

/** A record, and which version of the lease it is of: only that one is overwritten. */
export type StoredRecord = LeaderRecord & {readonly resourceVersion: string};

/** The one lease that this program writes, where it was asked to elect a leader. */
export type LeaseStore = {
	/** The namespace that it lies in: as asked for, else where the credentials live. */
	readonly namespace: string;
	/** Undefined where there is no such lease. @throws RequestError where it cannot be read. */
	read(signal: AbortSignal): Promise<StoredRecord | undefined>;
	/** @throws RequestError where it cannot be made; with status 409 where another was faster. */
	create(record: LeaderRecord, signal: AbortSignal): Promise<StoredRecord>;
	/** Writes who leads, and nothing else of it. @throws RequestError where it cannot be written; with status 409 where it has changed since. */
	update(record: StoredRecord, signal: AbortSignal): Promise<StoredRecord>;
	close(): Promise<void>;
};

/**
 * Opens the way to one lease, over connections of its own: what the watches read must not keep a leader from renewing.
 *
 * @param namespace the credentials' own where it is undefined
 * @throws UserError where no cluster is configured, or where the lease is the control plane's or a node's.
 */
export async function openLease(
	options: ConnectionOptions,
	{namespace: asked, name}: {readonly namespace: string | undefined; readonly name: string},
	environment: Environment = systemEnvironment(),
	timing: Timing = systemTiming,
): Promise<LeaseStore> {
	const access = await resolveAccess(options, environment);
	const namespace = asked ?? access.namespace;
	if (isLeaseOfOthers(namespace, name)) {
		throw new UserError(
			`the lease ${name} in ${namespace} is not for evictwatch to write`,
			'choose another with --leader-elect-resource-name and --leader-elect-resource-namespace',
		);
	}
	const transport = await openTransport(access, environment, timing);
	const collection = `/apis/coordination.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/leases`;
	const path = `${collection}/${encodeURIComponent(name)}`;
	// Labels, owners and the like are somebody's: a write puts the whole object, and what it leaves out is gone.
	let seen: {readonly resourceVersion?: unknown} = {};
	const taken = (value: unknown): StoredRecord => {
		seen = fieldsOf<V1ObjectMeta>(fieldsOf<V1Lease>(value).metadata);
		return recordOf(value);
	};
	const metadataAt = (resourceVersion: string) =>
		seen.resourceVersion === resourceVersion ? seen : {namespace, name, resourceVersion};
	const objectOf = (record: LeaderRecord, metadata: object) => ({
		apiVersion: 'coordination.k8s.io/v1',
		kind: 'Lease',
		metadata,
		spec: {
			...record,
			resourceVersion: undefined,
			acquireTime: microTime(record.acquireTime),
			renewTime: microTime(record.renewTime),
		},
	});
	return {
		namespace,
		read: async (signal) => {
			try {
				return taken(await transport.json(path, {}, signal));
			} catch (error) {
				if (hasStatus(error, 404)) return undefined;
				throw error;
			}
		},
		create: async (record, signal) =>
			taken(await transport.writeLease('POST', collection, objectOf(record, {namespace, name}), signal)),
		update: async (record, signal) => {
			const lease = objectOf(record, metadataAt(record.resourceVersion));
			return taken(await transport.writeLease('PUT', path, lease, signal));
		},
		close: () => transport.close(),
	};
}

// What the API has of a MicroTime: six digits.
const microTime = (at: Instant): string => new Date(Math.round(at)).toISOString().replace('Z', '000Z');

function recordOf(value: unknown): StoredRecord {
	const lease = fieldsOf<V1Lease>(value);
	const spec = fieldsOf<V1LeaseSpec>(lease.spec);
	return {
		holderIdentity: textOf(spec.holderIdentity),
		leaseDurationSeconds: numberOf(spec.leaseDurationSeconds) ?? 15,
		acquireTime: decodeTime(spec.acquireTime) ?? 0,
		renewTime: decodeTime(spec.renewTime) ?? 0,
		leaseTransitions: numberOf(spec.leaseTransitions) ?? 0,
		resourceVersion: textOf(fieldsOf<V1ObjectMeta>(lease.metadata).resourceVersion),
	};
}

/** How long a lease holds, in milliseconds. */
export const leaseDurationOf = ({leaseDurationSeconds}: LeaderRecord): number =>
	leaseDurationSeconds * second;
