import {goTextOfFloats} from './goText.ts';
import {TemplateError} from './templateError.ts';

const verb = /%([-+# 0]*)(\d+)?(?:\.(\d+))?(.?)/gsu;

/**
 * Formats values as Go's `Sprintf` does, with the verbs `%s %v %d %q %t %f` and `%%`.
 *
 * @throws TemplateError for another verb, or a value that does not fit
 */
export function goPrintf(format: string, values: readonly unknown[]): string {
	const rest = [...values];
	const text = format.replace(
		verb,
		(whole, flags: string, width: string, precision: string, letter: string) => {
			if (letter === '%') return '%';
			if (!'svdqtf'.includes(letter) || letter === '' || /[+# ]/.test(flags)) {
				throw new TemplateError(`printf verb ${whole} is not supported; %s, %v, %d, %q, %t and %f are`);
			}
			if (rest.length === 0) return `%!${letter}(MISSING)`;
			const shown = formatOne(letter, rest.shift(), precision === undefined ? undefined : Number(precision));
			return padded(shown, Math.min(Number(width ?? 0), 1000), flags);
		},
	);
	return rest.length === 0 ? text : `${text}%!(EXTRA ${rest.map(describe).join(', ')})`;
}

function formatOne(letter: string, value: unknown, precision: number | undefined): string {
	switch (letter) {
		case 'd':
			if (typeof value !== 'number') throw new TemplateError('printf verb %d takes a number');
			return String(Math.trunc(value));
		case 'f':
			if (typeof value !== 'number') throw new TemplateError('printf verb %f takes a number');
			return value.toFixed(Math.min(precision ?? 6, 100));
		case 'q':
			return JSON.stringify(goTextOfFloats(value));
		default: {
			const text = goTextOfFloats(value);
			return precision === undefined ? text : [...text].slice(0, precision).join('');
		}
	}
}

function padded(text: string, width: number, flags: string): string {
	const missing = Math.max(0, width - [...text].length);
	if (flags.includes('-')) return text + ' '.repeat(missing);
	return (flags.includes('0') ? '0' : ' ').repeat(missing) + text;
}

const describe = (value: unknown): string =>
	`${typeof value === 'number' ? 'float64' : typeof value}=${goTextOfFloats(value)}`;
