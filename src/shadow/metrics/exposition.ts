import {Registry} from 'prom-client';
import {kept} from '../../core/collections/kept.ts';
import type {Sample} from './family.ts';

export type Exposition = {readonly contentType: string; readonly text: string};

/** The requested format: OpenMetrics if the Accept header names it, else Prometheus' text format. */
export function expositionFor(accept: string, openMetrics: string): Exposition {
	if (accept.includes('application/openmetrics-text')) {
		return {contentType: Registry.OPENMETRICS_CONTENT_TYPE, text: openMetrics};
	}
	return {contentType: Registry.PROMETHEUS_CONTENT_TYPE, text: toPrometheusText(openMetrics)};
}

/**
 * Converts to Prometheus' text format, which uses counters' full names in HELP and TYPE, and has no end marker. prom-client
 * cannot produce both formats from one registry: OpenMetrics changes the counters' names.
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

/** Parses some metrics of a page in Prometheus' text format; unreadable lines are skipped. */
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
