import type {V1ManagedFieldsEntry} from '@kubernetes/client-node';
import type {FieldWrite} from '../../core/model/fieldWrite.ts';
import {parseQuantity} from '../../core/model/workloads/quantity.ts';
import type {Allocatable, Resources} from '../../core/model/workloads/resources.ts';
import type {Instant} from '../../core/time/instant.ts';
import {eachOf, type Fields, fieldsOf, textMapOf, textOf} from './rawJson.ts';

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
