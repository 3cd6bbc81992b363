import {Registry} from 'prom-client';

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
