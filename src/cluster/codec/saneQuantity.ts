import {parseQuantity} from '../../core/nodepressure/quantities/parseQuantity.ts';
import type {Quantity} from '../../core/nodepressure/quantities/quantity.ts';

/** Beyond this nobody means what he says, and reckoning with it would take for ever. */
const mostDigits = 60;

/** The quantity, if it is one that somebody can mean; undefined for all else. */
export function saneQuantity(value: unknown): Quantity | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const text = String(value).trim();
	if (text.length > mostDigits) return undefined;
	try {
		const quantity = parseQuantity(text);
		const digits = quantity.unscaled.toString().length + Math.abs(quantity.exponent);
		return digits <= mostDigits ? quantity : undefined;
	} catch {
		return undefined;
	}
}
