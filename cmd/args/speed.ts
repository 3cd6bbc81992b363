import {invalidValue} from './usageError.ts';

const [slowest, fastest] = [0.1, 100];

/** How many seconds pass in a real one, as `--speed` says it; undefined where it does not. */
export function speedOf(text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	const speed = /^\d+(\.\d+)?x?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
	if (speed >= slowest && speed <= fastest) return speed;
	throw invalidValue('speed', text, `want a number from ${slowest} to ${fastest}, such as 10`);
}
