import {workloadTitle} from '../core/model/workloads/workload.ts';
import {formatDuration} from '../dates/duration.ts';
import {inTimeZone} from '../dates/format.ts';
import {formatCause} from '../print/tables/podKind.ts';
import {escapeForTerminal} from '../text/escape.ts';
import type {Eviction, JudgedPrediction, Outage} from './outage.ts';
import {summaryOf} from './summary.ts';
import {timelineOf} from './timeline.ts';
import {clock, clockRange, day, errorWords, type PageTexts, spanWords, zoneWords} from './words.ts';

/** A report as Markdown, in the dialect of code hosts. */
export function formatMarkdown(outage: Outage): string {
	const {title, kubernetesVersion, from, to, problems, file} = outage;
	const version = kubernetesVersion === undefined ? '' : `, Kubernetes ${kubernetesVersion}`;
	const shown = (text: string) => safe(inTimeZone(text, to, outage.timeZone));
	const parts = [
		`# Outage of ${safe(title)}, ${day(from, outage)}`,
		`${spanWords(outage)} (${formatDuration(to - from)})${safe(version)}`,
		...summaryOf(outage).map(safe),
		...problems.map(({reason, message}) => `> **${safe(reason)}**: ${shown(message)}`),
		'## Timeline',
		table(
			['Time', 'What happened'],
			timelineOf(outage).map(({at, text}) => [clock(at, outage), text]),
		),
		'## What was evicted',
		outage.evictions.length === 0
			? 'Nothing was.'
			: table(
					['Deleted', 'Pod', 'Workload', 'Node', 'Why', 'First predicted', 'Last predicted', 'Gone'],
					outage.evictions.map((one) => evictionCells(one, outage)),
				),
		...tablePart(
			'What kubelets evicted',
			['Evicted', 'Pod', 'Node', 'Short of', 'First predicted', 'Last predicted'],
			outage.byKubelets.map(({evictedAt, namespace, name, node, signals, first, last}) => [
				clock(evictedAt, outage),
				`${namespace}/${name}`,
				node,
				signals.join(', '),
				predictionCell(first, outage),
				predictionCell(last, outage),
			]),
		),
		...tablePart(
			'How low workloads went',
			['Workload', 'Ready before', 'Lowest', 'Read at', 'Predicted'],
			outage.workloads.map(({desired, readyBefore, lowest, predicted, ...workload}) => [
				workloadTitle(workload),
				`${readyBefore} of ${desired}`,
				`${lowest.ready} of ${desired}`,
				clock(lowest.at, outage),
				predicted
					? `${predicted.ready}, ${predicted.at === null ? 'at once' : `at ${clockRange(predicted.at, outage)}`}`
					: 'not predicted',
			]),
		),
		...tablePart(
			'Predicted, but it did not happen',
			['Pod', 'Node', 'First predicted', 'At the end'],
			outage.averted.map(({namespace, name, node, firstSaidAt, verdict}) => [
				`${namespace}/${name}`,
				node,
				clock(firstSaidAt, outage),
				verdict,
			]),
		),
		`Written by \`kubectl evictwatch report\` from ${safe(file)}. All times are ${zoneWords(outage)}.`,
	];
	return `${parts.join('\n\n')}\n`;
}

/** A table with its title; empty if it has no rows. */
const tablePart = (title: string, heads: readonly string[], rows: readonly (readonly string[])[]) =>
	rows.length === 0 ? [] : [`## ${title}`, table(heads, rows)];

const evictionCells = (
	{namespace, name, node, workload, deletedAt, goneAt, cause, first, last}: Eviction,
	page: PageTexts,
) => [
	clock(deletedAt, page),
	`${namespace}/${name}`,
	`${workload.kind} ${workload.name}`,
	node,
	cause ? formatCause(cause) : 'unknown',
	predictionCell(first, page),
	predictionCell(last, page),
	goneAt === null ? 'not by the end' : clock(goneAt, page),
];

const predictionCell = (judged: JudgedPrediction | undefined, page: PageTexts) =>
	judged
		? `${clockRange(judged.range, page)}, predicted ${formatDuration(judged.lead)} before: ${errorWords(judged.error)}`
		: 'not predicted';

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
	const line = (cells: readonly string[]) => `| ${cells.map(safe).join(' | ')} |`;
	return [line(heads), `|${heads.map(() => ' --- |').join('')}`, ...rows.map(line)].join('\n');
}

/** Escapes text for Markdown: no markup, no HTML, no new cell or line. */
const safe = (text: string) =>
	escapeForTerminal(text)
		.replaceAll('\n', ' ')
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll(/[\\`*_[\]|~#]/g, '\\$&');
