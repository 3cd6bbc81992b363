import type {Instant} from '../../core/time/instant.ts';

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
