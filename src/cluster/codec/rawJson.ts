import type {V1ManagedFieldsEntry, V1ObjectMeta, V1OwnerReference} from '@kubernetes/client-node';
import type {FieldWrite} from '../../core/model/fieldWrite.ts';
import {parseGoDuration} from '../../core/model/goValues.ts';
import type {PodOwner} from '../../core/model/pod.ts';
import {parseQuantity} from '../../core/model/workloads/quantity.ts';
import type {Allocatable, Resources} from '../../core/model/workloads/resources.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';

/**
 * An object as it came over the wire: the field names are those of the API type, the values are anything.
 * So a misspelt field does not compile, and a value that is used unchecked does not either.
 */
export type Fields<T> = {readonly [Name in keyof T]?: unknown};

/** Whether a value is an object with fields: no array, and not null. */
export const isObject = (value: unknown): value is object =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of an object; of anything else, none. */
export function fieldsOf<T>(value: unknown): Fields<T> {
	return isObject(value) ? (value as Fields<T>) : {};
}

/** The fields of the parts that objects of the API have; of a part that is not asked for, nothing is read. */
export function partsOf<T extends {readonly spec?: unknown; readonly status?: unknown}>(value: unknown) {
	const object = fieldsOf<Record<'metadata' | 'spec' | 'status', unknown>>(value);
	return {
		get metadata() {
			return fieldsOf<V1ObjectMeta>(object.metadata);
		},
		get spec() {
			return fieldsOf<NonNullable<T['spec']>>(object.spec);
		},
		get status() {
			return fieldsOf<NonNullable<T['status']>>(object.status);
		},
	};
}

/** The entries of an array. Go writes an empty one as null. */
export function entriesOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

/** What each entry of an array is read as, but for those that cannot be. */
export function eachOf<T>(value: unknown, read: (entry: unknown) => T | undefined): readonly T[] {
	const all = entriesOf(value).map(read);
	// As long as it needs to be: an array that grows has room for more, which adds up in thousands of objects.
	return all.includes(undefined) ? all.filter((one) => one !== undefined) : (all as T[]);
}

/** The text, or `''` where there is none. */
export function textOf(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

/** The number, unless it is none or not finite. */
export function numberOf(value: unknown): number | undefined {
	return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A map of texts, as labels are; entries of other types are left out. */
export function textMapOf(value: unknown): Readonly<Record<string, string>> {
	const map = fieldsOf<Record<string, unknown>>(value);
	// The parser's own object is as small as any copy; only a map with something to drop is made anew.
	if (Object.values(map).every((text) => typeof text === 'string')) return map as Record<string, string>;
	const entries = Object.entries(map);
	return Object.fromEntries(
		entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
	);
}

/** A field that is only there where it has a value: to be spread into an object. */
export function present<Name extends string, T>(name: Name, value: T | undefined): {[N in Name]?: T} {
	return value === undefined ? {} : ({[name]: value} as {[N in Name]: T});
}

/** The same for a text, which says nothing where it is empty. */
export const said = <Name extends string, T>(name: Name, value: T | undefined | ''): {[N in Name]?: T} =>
	present(name, value === '' ? undefined : value);

/** What a text says as JSON; undefined where it is none. */
export function parsedJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** What a reviver is told beside key and value: the text that a number was read from. */
type JsonSource = {readonly source?: string};

/**
 * Reads JSON without loss: a whole number that does not fit a double exactly becomes a bigint. A kubelet's amounts are
 * uint64, and one below zero comes as a number near 2^64.
 *
 * @throws SyntaxError where it is no JSON
 */
export function parseExactJson(text: string): unknown {
	const revive = (_key: string, value: unknown, {source}: JsonSource): unknown =>
		typeof value === 'number' &&
		!Number.isSafeInteger(value) &&
		source !== undefined &&
		/^-?\d+$/.test(source)
			? BigInt(source)
			: value;
	return JSON.parse(text, revive as (key: string, value: unknown) => unknown);
}

/** The amount, if it is one that fits a uint64. Recordings have those that no number holds as a text. */
export function uint64Of(value: unknown): bigint | undefined {
	const isText = typeof value === 'string' && /^\d{16,20}$/.test(value);
	if (typeof value !== 'bigint' && !isText && !Number.isSafeInteger(value)) return undefined;
	const amount = BigInt(value as bigint | number | string);
	return amount >= 0n && BigInt.asUintN(64, amount) === amount ? amount : undefined;
}

const rfc3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;

/** A time as protobuf has it, where JSON has a text. */
export class WireTime {
	readonly seconds: number;
	readonly nanoseconds: number;

	constructor(seconds: number, nanoseconds: number) {
		this.seconds = seconds;
		this.nanoseconds = nanoseconds;
	}
}

/** Reads a time of either encoding; a MicroTime keeps its microseconds as a fraction. Undefined for anything else. */
export function decodeTime(value: unknown): Instant | undefined {
	// The fraction is reckoned as it is for a text, digit by digit of the result.
	if (value instanceof WireTime) return value.seconds * 1000 + (value.nanoseconds / 1e9) * 1000;
	const match = typeof value === 'string' ? rfc3339.exec(value) : null;
	if (!match) return undefined;
	const [, seconds, fraction = '', zone = ''] = match;
	// Date keeps whole milliseconds only, so the fraction is added beside it.
	const wholeSeconds = Date.parse(`${seconds}${zone}`.toUpperCase());
	return Number.isNaN(wholeSeconds) ? undefined : wholeSeconds + Number(`0${fraction}`) * 1000;
}

/** Reads a duration as Go writes it: `1m30s`. Undefined for anything else. */
export function decodeDuration(value: unknown): Duration | undefined {
	try {
		return textOf(value) === '' ? undefined : parseGoDuration(textOf(value));
	} catch {
		return undefined;
	}
}

/** What controls an object, of its ownerReferences. */
export function decodeOwner(references: unknown): PodOwner | undefined {
	const owner = eachOf(references, (entry) => fieldsOf<V1OwnerReference>(entry)).find(
		({controller}) => controller === true,
	);
	return owner && {kind: textOf(owner.kind), name: textOf(owner.name), uid: textOf(owner.uid)};
}

const label = String.raw`[a-z\d](?:[-a-z\d]*[a-z\d])?`;
const labelOnly = new RegExp(`^${label}$`);
const subdomain = new RegExp(String.raw`^${label}(?:\.${label})*$`);

/**
 * Whether an API server would take this as the name of a node, a pod or a lease. Whatever else comes as one, from a forged
 * dump for example, is no object of a cluster, and could be harmful in a command that somebody pastes.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go IsDNS1123Subdomain
 */
export const isObjectName = (name: string): boolean => name.length <= 253 && subdomain.test(name);

/**
 * The same for the name of a namespace.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go IsDNS1123Label
 */
export const isNamespaceName = (name: string): boolean => name.length <= 63 && labelOnly.test(name);

/** Who wrote an object, of all its managedFields or of those wanted. An entry without a time tells nothing. */
export function decodeFieldWrites(
	managedFields: unknown,
	isWanted: (entry: Fields<V1ManagedFieldsEntry>) => boolean = () => true,
): readonly FieldWrite[] {
	return eachOf(managedFields, (value) => {
		const entry = fieldsOf<V1ManagedFieldsEntry>(value);
		const time = decodeTime(entry.time);
		if (time === undefined || !isWanted(entry)) return undefined;
		return {manager: textOf(entry.manager), operation: textOf(entry.operation), time};
	});
}

/** Whether an entry owns the node's taints: all of them, as the controllers write them, or some. */
export const ownsTaints = (entry: Fields<V1ManagedFieldsEntry>): boolean => ownsInSpec(entry, 'f:taints');

/** Whether an entry is that of who renews a lease. */
export const ownsRenewTime = (entry: Fields<V1ManagedFieldsEntry>): boolean =>
	ownsInSpec(entry, 'f:renewTime');

function ownsInSpec({fieldsV1}: Fields<V1ManagedFieldsEntry>, field: string): boolean {
	const fields = fieldsOf<{'f:spec': unknown}>(fieldsV1);
	return fieldsOf<Record<string, unknown>>(fields['f:spec'])[field] !== undefined;
}

/** Reads CPU and memory of a list of quantities; what is not there, or cannot be read, is nothing. */
export function decodeResources(value: unknown): Resources {
	const quantities = textMapOf(value);
	const of = (name: string) => parseQuantity(quantities[name] ?? '') ?? 0;
	return {cpu: Math.round(of('cpu') * 1000), memory: of('memory')};
}

/** Reads what a node has for its pods: CPU, memory, and how many there may be. */
export function decodeAllocatable(value: unknown): Allocatable {
	const pods = parseQuantity(textMapOf(value)['pods'] ?? '');
	return {...decodeResources(value), ...(pods !== undefined && {pods})};
}
