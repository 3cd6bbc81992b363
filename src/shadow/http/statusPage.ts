import {createHash} from 'node:crypto';
import type {Instant} from '../../core/time/instant.ts';
import {formatDuration} from '../../dates/duration.ts';
import {EvictionCounts} from '../../forecast/evictionCounts.ts';
import {type PendingPod, pendingOf} from '../../forecast/pending.ts';
import {count} from '../../forecast/words.ts';
import {formatCountdown} from '../../print/countdown.ts';
import {othersWords} from '../../print/score.ts';
import {clock, day} from '../../report/words.ts';
import type {ShadowView} from '../shadowView.ts';
import {html, Markup, nothing} from './markup.ts';
import {
	countsWithin,
	divergenceTable,
	evictionTable,
	gapTable,
	optionTable,
	settingTable,
	zoneTable,
} from './pageTables.ts';
import {style} from './style.ts';

/** What the page shows besides the view. */
export type PageOptions = {
	readonly version: string;
	readonly title: string;
	/** The options of this process by name, without secrets. */
	readonly options: readonly (readonly [string, string])[];
};

/** Seconds until the page reloads; it has no script. */
const refreshAfter = 10;

const hash = createHash('sha256').update(style).digest('base64');

/** Allows only the page's own style, by its hash: no scripts, images or framing. */
export const pagePolicy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The status page, which needs no other resources; without a view it says that the cluster is being read. */
export function statusPage(
	view: ShadowView | undefined,
	{version, title, options}: PageOptions,
	now: Instant,
): string {
	return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${refreshAfter}">
<title>evictwatch: ${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main>
${view ? content(view, title, now) : html`<header><p class="kicker">evictwatch shadow</p><h1>The cluster is being read</h1><p class="meta"><span class="name">${title}</span></p></header>`}
<details><summary>Options of this process</summary>${optionTable(options)}</details>
<footer>kubectl evictwatch ${version}. Read-only; refreshes every ${refreshAfter} s; all times are UTC.</footer>
</main>
</body>
</html>
`.text;
}

function content(view: ShadowView, title: string, now: Instant): Markup {
	const pending = pendingOf(view.forecast.pods);
	const counts = new EvictionCounts(pending, view.forecast);
	return html`${header(view, pending, title)}
${tiles(view, pending, counts, now)}
${notices(view)}
${section('Zones', zoneTable(view.forecast, counts, now))}
${section('Next evictions', evictionTable(pending, now))}
${othersNotice(view)}
${section('Forecast misses', divergenceTable(view.divergences, now))}
${section('Observation gaps', gapTable(view.gaps))}
<details><summary>Settings of the controllers</summary>${view.settings ? settingTable(view.settings) : html`<p class="soft">Which settings are in force is not known yet.</p>`}</details>`;
}

/** Disruptions by others, which are not predicted. */
function othersNotice({disrupted}: ShadowView): Markup {
	const words = othersWords(Object.fromEntries(disrupted));
	return words.length === 0
		? nothing
		: html`<p class="soft">Not predicted, since the start: ${words.join(', ')}.</p>`;
}

const section = (title: string, body: Markup): Markup => html`<section><h2>${title}</h2>${body}</section>`;

function header(
	{forecast, startedAt, observedAt}: ShadowView,
	pending: readonly PendingPod[],
	title: string,
): Markup {
	const words =
		pending.length === 0 ? 'No eviction is to come' : `${count(pending.length, 'pod')} will be evicted`;
	const version = forecast.kubernetesVersion ? `, Kubernetes ${forecast.kubernetesVersion}` : '';
	return html`<header><p class="kicker">evictwatch shadow</p><h1>${words}</h1>
<p class="meta"><span class="name">${title}</span>${version}<br>as of ${day(observedAt)} ${clock(observedAt)} UTC, watching for ${formatDuration(observedAt - startedAt)}</p></header>`;
}

function tiles(
	{controller, divergences}: ShadowView,
	pending: readonly PendingPod[],
	counts: EvictionCounts,
	now: Instant,
): Markup {
	const alarms = divergences.filter(({isAlarm, endedAt}) => isAlarm && endedAt === null).length;
	const next = pending[0];
	const tile = (value: string, words: string, tone = '') =>
		html`<div class="tile"><b class="${tone}">${value}</b><span>${words}</span></div>\n`;
	const {isUp, leader, leaderSince} = controller;
	const leads = leaderSince === null ? '' : ` for ${formatDuration(now - leaderSince)}`;
	return html`<div class="tiles">
${tile(countsWithin(counts, now), 'pods go in 1 / 5 / 15 minutes')}
${next ? tile(formatCountdown(next.eviction, now), 'to the next eviction') : nothing}
${tile(isUp === null ? 'unknown' : isUp ? 'up' : 'down', isUp && leader ? `controllers: ${leader.split('_')[0]} leads${leads}` : 'controllers', isUp === false ? 'bad' : isUp ? 'good' : '')}
${tile(String(alarms), alarms === 1 ? 'alarm' : 'alarms', alarms > 0 ? 'bad' : 'good')}
</div>`;
}

const notices = ({forecast: {problems}, hasSynced}: ShadowView): Markup =>
	problems.length === 0 && hasSynced
		? nothing
		: html`<div class="notice">${hasSynced ? nothing : html`<p>The cluster has not been read whole yet: what is shown is not all.</p>`}${problems.map(({reason, message}) => html`<p><b>${reason}</b>: ${message}</p>`)}</div>`;
