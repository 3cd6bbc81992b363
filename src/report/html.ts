import {formatDuration} from '../dates/duration.ts';
import {inTimeZone} from '../dates/format.ts';
import {utc} from '../dates/timeZone.ts';
import {formatTimestamp} from '../dates/utc.ts';
import {count} from '../forecast/words.ts';
import {chart} from './chart.ts';
import {lessonsOf, lessonsSource} from './lessons.ts';
import {type Cells, html, Markup, nameCell, nothing, pageTable, settingTable} from './markup.ts';
import type {Eviction, JudgedPrediction, Outage} from './outage.ts';
import {style} from './style.ts';
import {medianLead, stillTerminating, summaryOf, troubledNodes} from './summary.ts';
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

/** How many rows are shown at first; the rest can be expanded. */
const openRows = 100;

/** A report as one self-contained page: no script, font, picture or server is needed. */
export function formatHtml(outage: Outage): string {
	const {title, from} = outage;
	return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<title>Outage of ${title}, ${day(from, outage)}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main>
${header(outage)}
${tiles(outage)}
<p class="lead">${summaryOf(outage).join(' ')}</p>
${notices(outage)}
${section('How it went', chart(outage))}
${section('Timeline', timeline(outage))}
${section('What was evicted', evictions(outage))}
${section('What kubelets evicted', byKubelets(outage))}
${section('How low workloads went', workloads(outage))}
${section('What would have changed it', lessons(outage))}
${section('Predicted, but it did not happen', averted(outage))}
${settings(outage)}
<footer>Written by kubectl evictwatch from ${outage.file}. All times are ${zoneWords(outage)}. What would have changed it is ${lessonsSource(outage)}.</footer>
</main>
</body>
</html>
`.text;
}

const section = (title: string, content: Markup): Markup =>
	content === nothing ? nothing : html`<section><h2>${title}</h2>${content}</section>`;

const tableOrNothing = (heads: readonly string[], rows: readonly Cells[]): Markup =>
	rows.length === 0 ? nothing : pageTable(heads, rows);

/** Shows the first rows, and the rest as an expandable part. */
function withMore<T>(rows: readonly T[], show: (some: readonly T[]) => Markup): Markup {
	const rest = rows.slice(openRows);
	return html`${show(rows.slice(0, openRows))}
${rest.length === 0 ? nothing : html`<details><summary>${rest.length} more</summary>${show(rest)}</details>`}`;
}

const rowsIn =
	<T>(heads: readonly string[], cellsOf: (one: T) => Cells) =>
	(some: readonly T[]): Markup =>
		pageTable(heads, some.map(cellsOf));

function header(outage: Outage): Markup {
	const {title, kubernetesVersion, from, to, evictions: gone} = outage;
	const nodes = troubledNodes(outage).length;
	const words =
		nodes === 0
			? 'No node was in trouble'
			: `${count(nodes, 'node')} in trouble, ${count(gone.length, 'pod')} evicted`;
	return html`<header><p class="kicker">Outage report</p><h1>${words}</h1>
<p class="meta"><span class="name">${title}</span>${kubernetesVersion ? `, Kubernetes ${kubernetesVersion}` : ''}<br>${spanWords(outage)}, ${formatDuration(to - from)}</p></header>`;
}

function tiles(outage: Outage): Markup {
	const {evictions: gone, nodeCount, score} = outage;
	const stuck = stillTerminating(outage).length;
	const lead = medianLead(outage);
	const isGood = score.inside === score.judged && score.unforeseen === 0;
	const tile = (value: string, words: string, tone = '') =>
		html`<div class="tile"><b class="${tone}">${value}</b><span>${words}</span></div>\n`;
	return html`<div class="tiles">
${tile(`${troubledNodes(outage).length} of ${nodeCount}`, 'nodes in trouble')}
${tile(String(gone.length), 'pods evicted')}
${stuck > 0 ? tile(String(stuck), 'still Terminating at the end', 'bad') : nothing}
${score.judged > 0 ? tile(`${score.inside} of ${score.judged}`, 'within what was predicted', isGood ? 'good' : 'bad') : nothing}
${lead === undefined ? nothing : tile(formatDuration(lead), 'first word before it, median')}
</div>`;
}

const notices = ({problems, to, timeZone = utc}: Outage): Markup =>
	problems.length === 0
		? nothing
		: html`<div class="notice">${problems.map(({reason, message}) => html`<p><b>${reason}</b>: ${inTimeZone(message, to, timeZone)}</p>`)}</div>`;

function timeline(outage: Outage): Markup {
	const entries = timelineOf(outage);
	if (entries.length === 0) return html`<p class="soft">Nothing happened.</p>`;
	const row = ({at, kind, text}: (typeof entries)[number]) =>
		html`<li class="${kind}"><time datetime="${formatTimestamp(at)}">${clock(at, outage)}</time><i></i><span>${text}</span></li>\n`;
	return withMore(entries, (some) => html`<ul class="story">${some.map(row)}</ul>`);
}

function evictions(outage: Outage): Markup {
	const {evictions: gone} = outage;
	if (gone.length === 0) return html`<p class="soft">Nothing was.</p>`;
	const heads = ['Deleted', 'Pod', 'Node', 'Why', 'First predicted', 'Last predicted', 'Gone'];
	return withMore(
		gone,
		rowsIn(heads, (one) => evictionRow(one, outage)),
	);
}

function evictionRow(
	{namespace, name, node, workload, deletedAt, goneAt, cause, first, last, isInside}: Eviction,
	page: PageTexts,
): Cells {
	const verdict = isInside === undefined ? html`<span class="soft">not predicted</span>` : nothing;
	return [
		html`<time datetime="${formatTimestamp(deletedAt)}">${clock(deletedAt, page)}</time>`,
		html`${nameCell(`${namespace}/${name}`)}<small>${workload.kind} ${workload.name}</small>`,
		nameCell(node),
		html`${causeWords(cause)}<small>${toleratedWords(cause)}</small>`,
		...[first, last].map((one) => (one ? predictionCell(one, page) : verdict)),
		goneAt === undefined ? html`<span class="bad">not by the end</span>` : clock(goneAt, page),
	];
}

function byKubelets(outage: Outage): Markup {
	const unforeseen = html`<span class="soft">not predicted</span>`;
	return tableOrNothing(
		kubeletHeads,
		outage.byKubelets.map(({evictedAt, namespace, name, node, signals, first, last}) => [
			html`<time datetime="${formatTimestamp(evictedAt)}">${clock(evictedAt, outage)}</time>`,
			...[nameCell(`${namespace}/${name}`), nameCell(node), signals.join(', ')],
			...[first, last].map((one) => (one ? predictionCell(one, outage) : unforeseen)),
		]),
	);
}

const predictionCell = ({lead, range, error}: JudgedPrediction, page: PageTexts): Markup =>
	html`<span class="range">${clockRange(range, page)}</span><small>predicted ${formatDuration(lead)} before</small><small class="${error === 0 ? 'good' : 'bad'}">${errorWords(error)}</small>`;

function workloads(outage: Outage): Markup {
	const {workloads: low} = outage;
	if (low.length === 0) return nothing;
	return withMore(
		low,
		rowsIn(workloadHeads, (one) => workloadCells(one, outage)),
	);
}

function lessons(outage: Outage): Markup {
	const all = lessonsOf(outage);
	if (all.length === 0) return nothing;
	return html`<div class="cards">${all.map(({title, text}) => html`<div class="card"><h3>${title}</h3><p>${text}</p></div>\n`)}</div>`;
}

function averted(outage: Outage): Markup {
	return tableOrNothing(
		['Pod', 'Node', 'First predicted', 'At the end'],
		outage.averted.map(({namespace, name, node, firstPredictedAt, verdict}) => [
			...[nameCell(`${namespace}/${name}`), nameCell(node)],
			...[clock(firstPredictedAt, outage), verdict],
		]),
	);
}

const settings = ({settings: list}: Outage): Markup =>
	list.length === 0
		? nothing
		: html`<details><summary>Settings of the controllers</summary>${settingTable(list)}</details>`;
