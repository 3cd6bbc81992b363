import {formatDuration} from '../dates/duration.ts';
import {inTimeZone} from '../dates/format.ts';
import {utc} from '../dates/timeZone.ts';
import {escapeForTerminal} from '../text/escape.ts';
import {lessonsOf, lessonsSource} from './lessons.ts';
import type {Eviction, JudgedPrediction, Outage} from './outage.ts';
import {summaryOf} from './summary.ts';
import {timelineOf} from './timeline.ts';
import {
	causeWords,
	clock,
	clockRange,
	day,
	errorWords,
	kubeletHeads,
	type PageTexts,
	spanWords,
	toleratedWords,
	zoneWords,
} from './words.ts';
import {workloadCells, workloadHeads} from './workloadRows.ts';

/** A report as Markdown, in the dialect of code hosts. */
export function formatMarkdown(outage: Outage): string {
	const {title, kubernetesVersion, from, to, problems, file} = outage;
	const version = kubernetesVersion === undefined ? '' : `, Kubernetes ${kubernetesVersion}`;
	const shown = (text: string) => safe(inTimeZone(text, to, outage.timeZone ?? utc));
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
			kubeletHeads,
			outage.byKubelets.map(({evictedAt, namespace, name, node, signals, first, last}) => [
				...[clock(evictedAt, outage), `${namespace}/${name}`, node, signals.join(', ')],
				...[first, last].map((one) => (one ? predictionCell(one, outage) : 'not predicted')),
			]),
		),
		...tablePart(
			'How low workloads went',
			workloadHeads,
			outage.workloads.map((one) => workloadCells(one, outage)),
		),
		...lessonParts(outage),
		...tablePart(
			'Predicted, but it did not happen',
			['Pod', 'Node', 'First predicted', 'At the end'],
			outage.averted.map(({namespace, name, node, firstPredictedAt, verdict}) => [
				...[`${namespace}/${name}`, node, clock(firstPredictedAt, outage), verdict],
			]),
		),
		`Written by \`kubectl evictwatch report\` from ${safe(file)}. All times are ${zoneWords(outage)}. What would have changed it is ${lessonsSource(outage)}.`,
	];
	return `${parts.join('\n\n')}\n`;
}

/** A table with its title; empty if it has no rows. */
const tablePart = (
	title: string,
	heads: readonly string[],
	rows: readonly (readonly string[])[],
): readonly string[] => (rows.length === 0 ? [] : [`## ${title}`, table(heads, rows)]);

function lessonParts(outage: Outage): readonly string[] {
	const lessons = lessonsOf(outage);
	if (lessons.length === 0) return [];
	return [
		'## What would have changed it',
		lessons.map(({title, text}) => `- **${safe(title)}.** ${safe(text)}`).join('\n'),
	];
}

function evictionCells(
	{namespace, name, node, workload, deletedAt, goneAt, cause, first, last}: Eviction,
	page: PageTexts,
): readonly string[] {
	return [
		...[clock(deletedAt, page), `${namespace}/${name}`, `${workload.kind} ${workload.name}`, node],
		[causeWords(cause), toleratedWords(cause)].filter((words) => words !== '').join(', '),
		...[first, last].map((one) => (one ? predictionCell(one, page) : 'not predicted')),
		goneAt === undefined ? 'not by the end' : clock(goneAt, page),
	];
}

const predictionCell = ({lead, range, error}: JudgedPrediction, page: PageTexts): string =>
	`${clockRange(range, page)}, predicted ${formatDuration(lead)} before: ${errorWords(error)}`;

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
	const line = (cells: readonly string[]) => `| ${cells.map((cell) => safe(cell)).join(' | ')} |`;
	return [line(heads), `|${heads.map(() => ' --- |').join('')}`, ...rows.map(line)].join('\n');
}

/** Escapes text for Markdown: no markup, no HTML, no new cell or line. */
const safe = (text: string): string =>
	escapeForTerminal(text)
		.replaceAll('\n', ' ')
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll(/[\\`*_[\]|~#]/g, '\\$&');
