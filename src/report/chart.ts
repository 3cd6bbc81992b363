import {type Duration, type Instant, minute, second} from '../core/time/instant.ts';
import {hourAndMinute} from '../dates/format.ts';
import {utc} from '../dates/timeZone.ts';
import {html, type Markup, nothing} from './markup.ts';
import type {NodeStory, Outage} from './outage.ts';
import {clock, type PageTexts} from './words.ts';

/** The chart shows at most this many nodes: those with the most evictions. */
const maxLanes = 40;

/** One lane per affected node: when it was silent, Unknown and tainted, and each of its evictions. */
export function chart(outage: Outage): Markup {
	const names = [...new Set(outage.nodes.map(({name}) => name))];
	if (names.length === 0) return nothing;
	const evictions = Map.groupBy(outage.evictions, ({node}) => node);
	const shown = names
		.toSorted((a, b) => (evictions.get(b)?.length ?? 0) - (evictions.get(a)?.length ?? 0))
		.slice(0, maxLanes);
	const span = spanOf(outage);
	const lanes = shown.toSorted().map((name) => {
		const stories = outage.nodes.filter((story) => story.name === name);
		const times = (evictions.get(name) ?? []).map(({deletedAt}) => deletedAt);
		return lane(name, stories, times, span, outage);
	});
	return html`<div class="chart">${lanes}<div class="lane axis-lane"><span class="label"></span><div class="track axis">${ticks(span, outage)}</div></div>
<ul class="legend"><li><i class="s"></i>silent</li><li><i class="u"></i>Unknown or NotReady</li><li><i class="t"></i>tainted: countdowns run</li><li><i class="e"></i>a pod is deleted</li></ul>
${names.length > shown.length ? html`<p class="soft">${names.length - shown.length} more nodes are not shown.</p>` : nothing}</div>`;
}

type TimeSpan = {readonly from: Instant; readonly to: Instant};

/** Starts shortly before the first problem: a long quiet time would squeeze the rest. */
function spanOf({nodes, from, to}: Outage): TimeSpan {
	const begins = nodes.map(
		({lastRenewal, unreadyAt, taintedAt}) => lastRenewal ?? unreadyAt ?? taintedAt ?? to,
	);
	const first = Math.min(...begins);
	const lead = Math.max(10 * second, (to - first) / 20);
	return {from: Math.max(Math.min(from, first), first - lead), to: Math.max(to, first + second)};
}

const percent = (at: Instant, {from, to}: TimeSpan): number =>
	Math.round(Math.min(100, Math.max(0, ((at - from) / (to - from)) * 100)) * 100) / 100;

function lane(
	name: string,
	stories: readonly NodeStory[],
	evictions: readonly Instant[],
	span: TimeSpan,
	page: PageTexts,
): Markup {
	const zone = stories[0]?.zone ?? '';
	const segments = stories.flatMap((story) => segmentsOf(story, span));
	const bars = segments.map(({kind, from, to, words}) => {
		const left = percent(from, span);
		return html`<i class="${kind}" style="left:${left}%;width:${Math.max(0, percent(to, span) - left).toFixed(2)}%" title="${words} ${clock(from, page)} to ${clock(to, page)}"></i>`;
	});
	const marks = evictions.map(
		(at) =>
			html`<i class="e" style="left:${percent(at, span)}%" title="a pod is deleted ${clock(at, page)}"></i>`,
	);
	const words = [
		...segments.map(({words: word, from, to}) => `${word} from ${clock(from, page)} to ${clock(to, page)}`),
		`${evictions.length} evictions`,
	];
	return html`<div class="lane"><span class="label"><span class="name">${name}</span> <small>${zone === '<none>' ? '' : zone}</small></span><div class="track" role="img" aria-label="${name}: ${words.join(', ')}">${bars}${marks}</div></div>
`;
}

type LaneSegment = {
	readonly kind: 's' | 'u' | 't';
	readonly from: Instant;
	readonly to: Instant;
	readonly words: string;
};

function segmentsOf(
	{lastRenewal, unreadyAt, taintedAt, backAt, deletedAt, status}: NodeStory,
	{to}: TimeSpan,
): readonly LaneSegment[] {
	const end = backAt ?? deletedAt ?? to;
	const unready = unreadyAt ?? end;
	const tainted = taintedAt ?? end;
	const word = status === 'False' ? 'NotReady' : 'Unknown';
	const all: readonly LaneSegment[] = [
		{kind: 's', from: lastRenewal ?? unready, to: Math.min(unready, tainted), words: 'silent'},
		{kind: 'u', from: unready, to: tainted, words: word},
		{kind: 't', from: tainted, to: end, words: 'tainted'},
	];
	return all.filter((one) => one.to > one.from);
}

const tickSteps: readonly Duration[] = [10, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 21_600].map(
	(one) => one * second,
);

function ticks(span: TimeSpan, page: PageTexts): readonly Markup[] {
	const length = span.to - span.from;
	const step = tickSteps.find((one) => length / one <= 8) ?? length / 6;
	const first = Math.ceil(span.from / step) * step;
	const times = Array.from(
		{length: Math.max(0, Math.floor((span.to - first) / step) + 1)},
		(_, index) => first + index * step,
	);
	return (
		times
			// Leaves out a label that would extend beyond the chart.
			.filter((at) => percent(at, span) <= 96)
			.map(
				(at) =>
					html`<span style="left:${percent(at, span)}%">${step >= minute ? hourAndMinute(at, page.timeZone ?? utc) : clock(at, page)}</span>`,
			)
	);
}
