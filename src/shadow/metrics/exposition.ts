import {Registry} from 'prom-client';
import {kept} from '../../core/collections/kept.ts';
import type {Sample} from './family.ts';

/** A page of metrics, and what it is. */
export type Exposition = {readonly contentType: string; readonly text: string};

/** Makes the format that is asked for: OpenMetrics where it is named, else Prometheus' older one. */
export function expositionFor(accept: string, openMetrics: string): Exposition {
	if (accept.includes('application/openmetrics-text')) {
		return {contentType: Registry.OPENMETRICS_CONTENT_TYPE, text: openMetrics};
	}
	return {contentType: Registry.PROMETHEUS_CONTENT_TYPE, text: toPrometheusText(openMetrics)};
}

/**
 * The same in the older format, in which counters are called by their whole name in HELP and TYPE too, and nothing says
 * where the end is. The library can make both, but not from one registry: the newer one changes its counters' names.
 */
function toPrometheusText(openMetrics: string): string {
	const lines = openMetrics.split('\n');
	const counters = new Set(lines.flatMap((line) => /^# TYPE (\S+) counter$/.exec(line)?.[1] ?? []));
	return lines
		.filter((line) => line !== '# EOF')
		.map((line) =>
			line.replace(/^# (HELP|TYPE) (\S+)/, (all, keyword: string, name: string) =>
				counters.has(name) ? `# ${keyword} ${name}_total` : all,
			),
		)
		.join('\n');
}

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
		kept(found, name, () => []).push([Object.fromEntries(pairs), number]);
	}
	return found;
}

const unescaped = (text: string): string =>
	text.replaceAll(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter));
