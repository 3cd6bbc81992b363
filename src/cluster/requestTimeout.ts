import {type Duration, minute, second} from '../core/time/instant.ts';

const unitLengths: Readonly<Record<string, Duration>> = {
	ns: 1e-6,
	us: 1e-3,
	µs: 1e-3,
	ms: 1,
	s: second,
	m: minute,
	h: 60 * minute,
};

/** Reads `--request-timeout` as kubectl does: `1m30s`, or a bare number of seconds. Undefined for anything else. */
export function parseRequestTimeout(text: string): Duration | undefined {
	if (/^\d+$/.test(text)) return Number(text) * second;
	if (!/^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined;
	const parts = text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g);
	return [...parts].reduce((sum, [, count, unit = '']) => sum + Number(count) * (unitLengths[unit] ?? 0), 0);
}
