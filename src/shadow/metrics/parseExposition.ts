import type {Sample} from './family.ts';

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)(?:\s+\S+)?$/;
const label = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** The values of some metrics in a page of Prometheus' text format; what cannot be read is passed over. */
export function parseExposition(
	text: string,
	names: ReadonlySet<string>,
): ReadonlyMap<string, readonly Sample[]> {
	const found = new Map<string, Sample[]>();
	for (const each of text.split('\n')) {
		const [, name = '', labels = '', value = ''] = line.exec(each) ?? [];
		const number = Number(value.replace('Inf', 'Infinity'));
		if (!names.has(name) || Number.isNaN(number)) continue;
		const pairs = [...labels.matchAll(label)].map(([, key = '', raw = '']) => [key, unescaped(raw)] as const);
		const samples = found.get(name) ?? [];
		samples.push([Object.fromEntries(pairs), number]);
		found.set(name, samples);
	}
	return found;
}

const unescaped = (text: string): string =>
	text.replaceAll(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter));
