import {compareValues} from './compareValues.ts';

/** Compares names, numbers in them by value (`b2` before `b10`), of equal ones the shorter first; digits before the rest. */
export function compareNames(a: string, b: string): number {
	let at = 0;
	while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
	if (at === a.length || at === b.length) return a.length - b.length;
	while (at > 0 && isDigit(a, at - 1)) at -= 1;
	if (isDigit(a, at) !== isDigit(b, at)) return isDigit(a, at) ? -1 : 1;
	const [first, second] = [numberAt(a, at), numberAt(b, at)];
	return (
		first.digits.length - second.digits.length ||
		compareValues(first.digits, second.digits) ||
		first.zeros - second.zeros ||
		compareValues(a.slice(at), b.slice(at))
	);
}

function isDigit(text: string, at: number) {
	const code = text.charCodeAt(at);
	return code >= 48 && code <= 57;
}

/** The number that begins at a place, as its leading zeros and the digits after them; both may be none. */
function numberAt(text: string, from: number): {readonly zeros: number; readonly digits: string} {
	let end = from;
	while (isDigit(text, end)) end += 1;
	const whole = text.slice(from, end);
	const digits = whole.replace(/^0+/, '');
	return {zeros: whole.length - digits.length, digits};
}
