const digits = String.raw`\d(?:_?\d)*`;
const decimal = new RegExp(`^[-+]?(?:${digits}\\.?(?:${digits})?|\\.${digits})(?:[eE][-+]?${digits})?$`);
const hexDigits = String.raw`[\da-fA-F](?:_?[\da-fA-F])*`;
const hexadecimal = new RegExp(`^([-+]?)0[xX]_?(${hexDigits})?\\.?(${hexDigits})?[pP]([-+]?${digits})$`);

const greatestFloat32 = 2 ** 128 - 2 ** 104;

/**
 * Parses a percentage as the kubelet does, in float32: 10 percent is 0.10000000149011612.
 *
 * @param text with one or more percent signs; all are stripped
 * @throws Error with Go's message
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go parsePercentage
 */
export function parsePercentage(text: string): number {
	return Math.fround(parseFloat32(text.replace(/%+$/, '')) / 100);
}

/**
 * Parses a number as Go parses a float32.
 *
 * @upstream go1.26 src/strconv/atof.go ParseFloat
 */
function parseFloat32(text: string): number {
	const value = Math.fround(readFloat(text));
	if (Number.isNaN(value) && !/^nan$/i.test(text)) throw parseError(text, 'invalid syntax');
	if (Math.abs(value) > greatestFloat32 && !/^[-+]?inf/i.test(text)) {
		throw parseError(text, 'value out of range');
	}
	return value;
}

function readFloat(text: string): number {
	if (/^\+?inf(?:inity)?$/i.test(text)) return Number.POSITIVE_INFINITY;
	if (/^-inf(?:inity)?$/i.test(text)) return Number.NEGATIVE_INFINITY;
	if (decimal.test(text)) return Number(text.replaceAll('_', ''));
	const [matched, sign, whole = '', fraction = '', exponent = '0'] = hexadecimal.exec(text) ?? [];
	if (matched === undefined || whole + fraction === '') return Number.NaN;
	const mantissa = Number.parseInt((whole + fraction).replaceAll('_', ''), 16);
	const scale = Number(exponent.replaceAll('_', '')) - 4 * fraction.replaceAll('_', '').length;
	return (sign === '-' ? -1 : 1) * mantissa * 2 ** scale;
}

const parseError = (text: string, what: string) =>
	new Error(`strconv.ParseFloat: parsing ${JSON.stringify(text)}: ${what}`);
