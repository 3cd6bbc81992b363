import type {V1ManagedFieldsEntry, V1ObjectMeta} from '@kubernetes/client-node';
import {kept} from '../../core/collections/kept.ts';
import type {FieldWrite} from '../../core/model/fieldWrite.ts';
import {parseGoDuration} from '../../core/model/goValues.ts';
import type {PodOwner} from '../../core/model/pod.ts';
import type {Allocatable, Resources} from '../../core/model/workloads/resources.ts';
import {numberOfQuantity} from '../../core/nodepressure/quantities/parseQuantity.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';
import type {TextMap} from '../../text/textMap.ts';

declare const entry: unique symbol;

/** A list as received, to be read with `entriesOf` or `eachOf`. */
type RawList<Entry> = {readonly [entry]?: Entry};

/**
 * A value as received: of an object the names of its fields are known, and no value is checked. So neither a misspelt field nor
 * an unchecked value compiles. `?.` reads a field of anything: what is no object has none.
 */
export type Raw<T> = unknown extends T
	? unknown
	: T extends string | number | boolean | Date
		? unknown
		: T extends readonly (infer Entry)[]
			? RawList<Entry>
			: Fields<T> | null | undefined;

export type Fields<T> = {readonly [Name in keyof T]?: Raw<NonNullable<T[Name]>>};

/** Whether a value is an object, neither array nor null. */
export const isObject = (value: unknown): value is object =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of an object; none for any other value. */
export function fieldsOf<T>(value: unknown): Fields<T> {
	return isObject(value) ? (value as Fields<T>) : {};
}

/** The value at a path of fields: `spec.nodeName`. */
export function valueAt(value: unknown, path: string): unknown {
	let found = value;
	for (const name of path.split('.')) {
		const fields = fieldsOf<Record<string, unknown>>(found);
		found = Object.hasOwn(fields, name) ? fields[name] : undefined;
	}
	return found;
}

type WithParts = {readonly spec?: unknown; readonly status?: unknown};

/** The fields of an API object's metadata, spec and status, read only if used. */
export const partsOf = <T extends WithParts>(value: unknown): Parts<T> => new Parts<T>(value);

class Parts<T extends WithParts> {
	readonly #object: Fields<Record<'metadata' | 'spec' | 'status', unknown>>;

	constructor(value: unknown) {
		this.#object = fieldsOf(value);
	}

	get metadata(): Fields<V1ObjectMeta> {
		return fieldsOf(this.#object.metadata);
	}

	get spec(): Fields<NonNullable<T['spec']>> {
		return fieldsOf(this.#object.spec);
	}

	get status(): Fields<NonNullable<T['status']>> {
		return fieldsOf(this.#object.status);
	}
}

/** The entries of an array; none for other values, as Go writes an empty array as null. */
export function entriesOf<Entry>(list: RawList<Entry> | undefined): readonly Raw<Entry>[];
export function entriesOf(value: unknown): readonly unknown[];
export function entriesOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

/** The objects of a list of the API. */
export const itemsOf = (list: unknown): readonly unknown[] =>
	entriesOf(fieldsOf<{items: unknown}>(list).items);

/** Decodes each entry of an array, without those that are undefined. */
export function eachOf<Entry, T>(
	list: RawList<Entry> | undefined,
	read: (entry: Raw<Entry>) => T | undefined,
): readonly T[];
export function eachOf<T>(value: unknown, read: (entry: unknown) => T | undefined): readonly T[];
export function eachOf<T>(value: unknown, read: (entry: never) => T | undefined): readonly T[] {
	const all = (entriesOf(value) as readonly never[]).map(read);
	// `map` allocates the exact length; a growing array reserves more, which adds up in thousands of objects.
	return all.includes(undefined) ? all.filter((one) => one !== undefined) : (all as T[]);
}

export function textOf(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

/** The same, undefined in place of an empty one. */
export const textIn = (value: unknown): string | undefined => textOf(value) || undefined;

/** The number, if it is finite. */
export function numberOf(value: unknown): number | undefined {
	return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A map of strings, as labels are; other values are dropped. */
export function textMapOf(value: unknown): TextMap {
	const map = fieldsOf<Record<string, unknown>>(value);
	// The parser's object is as small as a copy; it is only copied to drop values.
	if (Object.values(map).every((text) => typeof text === 'string')) return map as Record<string, string>;
	const entries = Object.entries(map);
	return Object.fromEntries(
		entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
	);
}

/** Parses JSON; undefined if it is invalid. */
export function parsedJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/**
 * Parses JSON without loss: an integer that a double cannot hold becomes a bigint. A kubelet's values are uint64, and values
 * below zero wrap to near 2^64.
 *
 * @throws SyntaxError if it is not JSON
 */
export function parseExactJson(text: string): unknown {
	const revive = (_key: string, value: unknown, {source}: {readonly source?: string}): unknown =>
		typeof value === 'number' &&
		!Number.isSafeInteger(value) &&
		source !== undefined &&
		/^-?\d+$/.test(source)
			? BigInt(source)
			: value;
	return JSON.parse(text, revive as (key: string, value: unknown) => unknown);
}

/** The value, if it fits a uint64. Recordings hold values above 2^53 as strings. */
export function uint64Of(value: unknown): bigint | undefined {
	const isText = typeof value === 'string' && /^\d{16,20}$/.test(value);
	if (typeof value !== 'bigint' && !isText && !Number.isSafeInteger(value)) return undefined;
	const amount = BigInt(value as bigint | number | string);
	return amount >= 0n && BigInt.asUintN(64, amount) === amount ? amount : undefined;
}

const rfc3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;

/** A time in protobuf, in place of JSON's string. */
export class WireTime {
	readonly seconds: number;
	readonly nanoseconds: number;

	constructor(seconds: number, nanoseconds: number) {
		this.seconds = seconds;
		this.nanoseconds = nanoseconds;
	}
}

/** Decodes a time of either encoding, with sub-millisecond digits as a fraction. Undefined if invalid. */
export function decodeTime(value: unknown): Instant | undefined {
	// Computed as for a string, so that both encodings give the same double.
	if (value instanceof WireTime) return value.seconds * 1000 + (value.nanoseconds / 1e9) * 1000;
	const match = typeof value === 'string' ? rfc3339.exec(value) : null;
	if (!match) return undefined;
	const [, seconds, fraction = '', zone = ''] = match;
	// Date keeps only whole milliseconds, so the fraction is added separately.
	const wholeSeconds = Date.parse(`${seconds}${zone}`.toUpperCase());
	return Number.isNaN(wholeSeconds) ? undefined : wholeSeconds + Number(`0${fraction}`) * 1000;
}

/** Decodes a Go duration: `1m30s`. Undefined if invalid. */
export function decodeDuration(value: unknown): Duration | undefined {
	try {
		return textOf(value) === '' ? undefined : parseGoDuration(textOf(value));
	} catch {
		return undefined;
	}
}

/** Kinds whose controllers are known, but not of those that other API groups have of these names: their groups have dots. */
const builtIn = /^(?:(?:Replica|Stateful|Daemon)Set|ReplicationController|Deployment|(?:Cron)?Job|Node)$/;

/** The controller among the ownerReferences, with its API group as kubectl names it, where its kind alone would be another. */
export function decodeOwner(references: Fields<V1ObjectMeta>['ownerReferences']): PodOwner | undefined {
	const owner = entriesOf(references).find((reference) => reference?.controller === true);
	if (!owner) return undefined;
	const [kind, [group = '']] = [textOf(owner.kind), textOf(owner.apiVersion).split('/')];
	const isOther = builtIn.test(kind) && group.includes('.');
	return {kind: isOther ? `${kind}.${group}` : kind, name: textOf(owner.name), uid: textOf(owner.uid)};
}

const label = String.raw`[a-z\d](?:[-a-z\d]*[a-z\d])?`;
const labelOnly = new RegExp(`^${label}$`);
const subdomain = new RegExp(String.raw`^${label}(?:\.${label})*$`);

/**
 * Whether an API server accepts this as the name of a node, a pod or a lease. Any other name, from a forged dump for
 * example, could be harmful in a command that a user pastes.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go IsDNS1123Subdomain
 */
export const isObjectName = (name: string) => name.length <= 253 && subdomain.test(name);

/**
 * The same for a namespace.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go IsDNS1123Label
 */
export const isNamespaceName = (name: string) => name.length <= 63 && labelOnly.test(name);

/** The writes in managedFields, all or the wanted ones. Entries without a time are skipped. */
export function decodeFieldWrites(
	managedFields: Fields<V1ObjectMeta>['managedFields'],
	isWanted: (entry: Raw<V1ManagedFieldsEntry>) => boolean = () => true,
): readonly FieldWrite[] {
	return eachOf(managedFields, (entry) => {
		const time = decodeTime(entry?.time);
		if (time === undefined || !isWanted(entry)) return undefined;
		return {manager: textOf(entry?.manager), operation: textOf(entry?.operation), time};
	});
}

/** Whether an entry owns the node's taints: all of them, as the controllers write them, or some. */
export const ownsTaints = (entry: Raw<V1ManagedFieldsEntry>): boolean => ownsInSpec(entry, 'f:taints');

export const ownsRenewTime = (entry: Raw<V1ManagedFieldsEntry>): boolean => ownsInSpec(entry, 'f:renewTime');

function ownsInSpec(entry: Raw<V1ManagedFieldsEntry>, field: string): boolean {
	return fieldsOf<{'f:spec': Record<string, string>}>(entry?.fieldsV1)['f:spec']?.[field] !== undefined;
}

/** Decodes CPU (millicores) and memory (bytes); missing or invalid quantities are 0. */
export function decodeResources(value: unknown): Resources {
	const quantities = textMapOf(value);
	const of = (name: string) => quantityOf(quantities[name]) ?? 0;
	return {cpu: Math.round(of('cpu') * 1000), memory: of('memory')};
}

/** Decodes a node's allocatable CPU, memory and number of pods. */
export function decodeAllocatable(value: unknown): Allocatable {
	return {...decodeResources(value), pods: quantityOf(textMapOf(value)['pods'])};
}

/** The latest quantities that were parsed: nodes of one kind have the same. */
const quantities = new Map<string, number | undefined>();

function quantityOf(text = ''): number | undefined {
	return kept(quantities, text, () => numberOfQuantity(text), 1000);
}
