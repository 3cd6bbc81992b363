import {formatQuantity} from '../../../core/nodepressure/quantities/formatQuantity.ts';
import type {Quantity} from '../../../core/nodepressure/quantities/quantity.ts';
import type {Instant} from '../../../core/time/instant.ts';
import {recordedTime} from '../recordedTime.ts';
import type {Field, Message} from './message.ts';

/** Formats an instant, of which an API server keeps the second or the microsecond. */
export type TimeFormat = (at: Instant, isMicroTime: boolean) => string | undefined;

/**
 * The fields of a message as JSON, from a source that has them by the same names. Anything else of the source is left out, and
 * what is absent, empty or false, as by an API server.
 */
export function encodeMessage(
	message: Message,
	source: object,
	format: TimeFormat = recordedTime,
): Record<string, unknown> {
	const object: Record<string, unknown> = {};
	for (const field of message) {
		if (field === undefined) continue;
		const value = (source as Record<string, unknown>)[field.name];
		const encoded = value === undefined || value === null ? undefined : encodeField(field, value, format);
		if (encoded !== undefined && encoded !== '' && encoded !== false) object[field.name] = encoded;
	}
	return object;
}

function encodeField(field: Field, value: unknown, format: TimeFormat): unknown {
	switch (field.type) {
		case 'time':
		case 'microTime':
			return format(value as Instant, field.type === 'microTime');
		case 'amount':
			return (value as bigint) <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value);
		case 'quantity':
			return quantityText(value as MapValue);
		case 'map':
		case 'quantities':
			return mapText(value as object, field.keys);
		case 'message':
			return encodeMessage(field.message, value as object, format);
		case 'list':
			return filled((value as readonly object[]).map((entry) => encodeMessage(field.message, entry, format)));
		case 'texts':
			return filled(value as readonly string[]);
		default:
			return value;
	}
}

const filled = <T>(list: readonly T[]) => (list.length > 0 ? list : undefined);

type MapValue = Quantity | string | number;

const quantityText = (value: MapValue): string =>
	typeof value === 'object' ? formatQuantity(value) : String(value);

function mapText(source: object, keys: readonly string[] | undefined): object | undefined {
	const texts = Object.entries(source as Record<string, MapValue | undefined>).flatMap(([key, value]) =>
		value === undefined || keys?.includes(key) === false ? [] : [[key, quantityText(value)] as const],
	);
	return texts.length > 0 ? Object.fromEntries(texts) : undefined;
}
