import {type Duration, minute, second} from '../time/instant.ts';

const units: ReadonlyMap<string, Duration> = new Map([
	['ns', 1e-6],
	['us', 1e-3],
	['\u00b5s', 1e-3],
	['\u03bcs', 1e-3],
	['ms', 1],
	['s', second],
	['m', minute],
	['h', 60 * minute],
]);

/**
 * Reads a duration in Go's format: `50s`, `1m30s`, `1.5h`, `100ms`. Throws an Error with Go's message.
 *
 * @upstream go1.26 src/time/format.go ParseDuration
 */
export function parseGoDuration(text: string): Duration {
	const [, sign = '', body = ''] = /^([-+]?)(.*)$/s.exec(text) ?? [];
	if (body === '0') return 0;
	const invalid = new Error(`time: invalid duration ${JSON.stringify(text)}`);
	if (body === '') throw invalid;
	let total: Duration = 0;
	for (let rest = body; rest !== ''; ) {
		const [part, amount = '', unit = ''] = /^(\d+\.?\d*|\.\d+)([^\d.]*)/.exec(rest) ?? [];
		if (part === undefined) throw invalid;
		if (unit === '') throw new Error(`time: missing unit in duration ${JSON.stringify(text)}`);
		const scale = units.get(unit);
		if (scale === undefined) {
			throw new Error(`time: unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}`);
		}
		total += Number(amount) * scale;
		rest = rest.slice(part.length);
	}
	return sign === '-' ? -total : total;
}

/** Reads a boolean as Go does; undefined if the text is none. */
export function parseGoBoolean(text: string): boolean | undefined {
	if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true;
	if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return false;
	return undefined;
}

/** Writes a duration as Go does, without trailing zero units: `1m30s`, `50s`, `100ms`, `5m`. */
export function formatGoDuration(duration: Duration): string {
	if (duration < 0) return `-${formatGoDuration(-duration)}`;
	if (duration < second) return duration === 0 ? '0s' : `${rounded(duration)}ms`;
	const hours = Math.floor(duration / (60 * minute));
	const minutes = Math.floor((duration % (60 * minute)) / minute);
	const seconds = rounded((duration % minute) / second);
	const parts = [hours > 0 ? `${hours}h` : '', minutes > 0 ? `${minutes}m` : ''];
	return `${parts.join('')}${seconds > 0 ? `${seconds}s` : ''}`;
}

// Rounds to a microsecond, to remove floating-point error.
const rounded = (value: number): number => Number(value.toFixed(3));
