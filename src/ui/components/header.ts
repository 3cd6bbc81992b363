import {dateOf, inTimeZone, timeBeside, timeOfDay} from '../../dates/format.ts';
import {offsetOf, offsetText} from '../../dates/timeZone.ts';
import {formatSettingValue} from '../../forecast/settings/setting.ts';
import {ago, count} from '../../forecast/words.ts';
import type {Tone} from '../../print/tables/kind.ts';
import {doNow} from '../../print/whatif/doNow.ts';
import {takeoverWords} from '../../print/whyNotYet.ts';
import {type Alarm, headlineOf} from '../scene/headline.ts';
import {formatCost, type PodsReading, type Scene} from '../scene/scene.ts';
import {clockSpan} from '../scene/spans.ts';
import type {Glyphs} from '../theme/glyphs.ts';
import {
	apart,
	hanging,
	type Line,
	line,
	paragraph,
	type StyledText,
	span,
	textLine,
	widthOfSpans,
} from '../theme/line.ts';
import {clip, clipWords, widthOf, wrapText} from '../theme/text.ts';
import type {View} from './view.ts';

/** Data older than this counts as stale: if nothing happens, the API server confirms that every few seconds. */
const staleAfter = 8000;

/** The problem of watches that do not show everything, if there is one. */
const interruptionOf = ({forecast}: Scene) =>
	forecast?.problems.find(({reason}) => reason === 'WatchInterrupted');

/** Whether the data may be stale: the connection is lost, watches are interrupted, or nothing was received for long. */
export function isStale(scene: Scene, now: number) {
	const {link, heardAt} = scene;
	const isOld = heardAt !== undefined && now - heardAt > staleAfter;
	return link.state === 'lost' || isOld || interruptionOf(scene) !== undefined;
}

/** The title line: the cluster, its state, and the time. */
export function titleLine(view: View): Line {
	const {scene, size} = view;
	const speed = view.source.speed?.get();
	const {version} = scene;
	const down = scene.forecast?.digest.nodes.troubled.length ?? 0;
	const left: StyledText[] = [span(' evictwatch ', 'title'), span(` ${scene.title} `, 'strong')];
	const right = timeWords(view, size.columns - widthOfSpans(left) - 2);
	const more: StyledText[] = [
		span(' '),
		...linkSpans(view),
		span(speed === undefined || view.tape ? '' : `  ${speed}x`, 'key'),
		span(down > 0 ? `   ${down} of ${scene.forecast?.nodes.length} nodes in trouble` : '', 'warn'),
		...scoreSpans(scene),
		span(version ? `   ${version}` : '', 'dim'),
		...settingSpans(scene),
		span(scene.cost ? `   ${formatCost(scene.cost)}` : '', 'dim'),
	];
	const spans = [...left];
	for (const one of more) {
		if (widthOfSpans([...spans, one]) + right.length + 3 > size.columns) break;
		spans.push(one);
	}
	return apart(spans, span(right, 'strong'), size.columns - 1);
}

/** The time with its zone, by name, or by offset if the name does not fit. */
function timeWords({now, timeZone, tape}: View, room: number): string {
	const time = `${tape ? `${dateOf(now, timeZone)} ` : ''}${timeOfDay(now, timeZone)}`;
	const named = `${time} ${timeZone}`;
	return named.length <= room ? named : `${time} UTC${offsetText(offsetOf(now, timeZone))}`;
}

function linkSpans({scene, now, source, glyphs, state, tape}: View): readonly StyledText[] {
	if (tape && !isStale(scene, now)) return [span(`${glyphs.cursor} recorded`, 'mark')];
	if (state.paused)
		return [span(`${glyphs.paused} paused, ${ago(state.paused.at, source.now())} old`, 'mark')];
	const {link, heardAt} = scene;
	switch (link.state) {
		case 'none':
			return [];
		case 'opening':
			return [span(`${glyphs.lost} connecting`, 'warn')];
		case 'lost':
			return [span(`${glyphs.lost} disconnected for ${ago(link.since, now)}`, 'bad')];
		case 'live': {
			const old = heardAt === undefined ? '' : `, ${ago(heardAt, now)} old`;
			return isStale(scene, now)
				? [span(`${glyphs.lost} ${interruptionOf(scene) ? 'interrupted' : 'silent'}${old}`, 'bad')]
				: [
						span(`${glyphs.live} live`, 'good'),
						span(`${old}${forecastAge(scene, now, source.speed?.get())}`, 'dim'),
					];
		}
	}
}

/** Shows the age of an old forecast: in a large cluster one is made only every few seconds of real time. */
function forecastAge({forecast}: Scene, now: number, speed = 1): string {
	if (!forecast || now - forecast.observedAt < 3000 * speed) return '';
	return `, forecast ${ago(forecast.observedAt, now)} old`;
}

/** The two most important settings, if they are not the defaults. */
function settingSpans({settings}: Scene): readonly StyledText[] {
	const shown = decisive.flatMap(([name, word, per]) => {
		const setting = settings.find((one) => one.name === name);
		if (!setting || setting.source.kind === 'profile') return [];
		return `${word} ${formatSettingValue(setting.value, setting.unit)}${per}`;
	});
	return shown.map((text, index) => span(`${index === 0 ? '   ' : ', '}${text}`, 'dim'));
}

const decisive = [
	['node-monitor-grace-period', 'grace', ''],
	['node-eviction-rate', 'rate', '/s'],
] as const;

function scoreSpans({happenings, falseAlarms}: Scene): readonly StyledText[] {
	const judged = happenings.filter(({isInside}) => isInside !== undefined);
	const inside = judged.filter(({isInside}) => isInside).length;
	const accuracy = judged.length === 0 ? '' : `   accuracy ${inside}/${judged.length} in range`;
	return [
		span(accuracy, inside === judged.length ? 'good' : 'bad'),
		span(falseAlarms === 0 ? '' : `   ${count(falseAlarms, 'false alarm')}`, 'bad'),
	];
}

const alarmTone = {calm: 'good', watch: 'likely', alarm: 'bad'} as const satisfies Record<Alarm, Tone>;

/** The headline, in up to three lines, or five where there are many. @param hasRisks whether the screen tells of workloads at risk elsewhere */
export function headlineLines({scene, now, timeZone, size}: View, hasRisks = false): readonly Line[] {
	const width = size.columns - 2;
	if (!scene.forecast) {
		const {link} = scene;
		const words =
			link.state === 'lost'
				? `Nothing to show yet: ${link.reason}`
				: link.state === 'none'
					? 'Nothing is chosen: m shows the menu.'
					: 'Reading the cluster: nodes, leases and pods.';
		return paragraph(words, size.columns, 'likely').slice(0, 3);
	}
	const risks = scene.impacts?.risks ?? [];
	const isReading = scene.reading !== undefined;
	const {text, alarm} = headlineOf(scene.forecast, now, timeZone, risks, isReading, hasRisks ? 0 : undefined);
	const lines = wrapText(text, width);
	// Where there are few lines, what to do goes before the end of the sentence.
	const isTight = size.rows < 20 && doNow(scene.returns ?? [], now) !== undefined;
	const most = isTight ? 2 : size.rows < 40 ? 3 : 5;
	const shown =
		lines.length > most
			? [...lines.slice(0, most - 1), clipWords(lines.slice(most - 1).join(' '), width, headlineCut)]
			: lines;
	// Stale data raises no alarm: the notice above it says why it may be stale.
	const tone = isStale(scene, now) ? 'strong' : alarmTone[alarm];
	return shown.map((one) => textLine(` ${one}`, tone));
}

/** What to do first, as long as something can be done: one line, and a second one for what does not fit. */
export function doNowLines({scene, now, timeZone, size}: View): readonly Line[] {
	const first = doNow(scene.returns ?? [], now);
	if (!first) return [];
	const {by, command, effect} = first;
	const left = typeof by === 'number' ? `${clockSpan(by - now)} left` : by;
	const at = typeof by === 'number' ? `, by ${timeBeside(by, now, timeZone)}` : '';
	const width = size.columns - 1;
	const sign = span(' DO NOW ', 'bad');
	const whole = `${left}: ${command}; ${effect}`;
	if (size.rows < 24)
		return [line(sign, span(clipWords(whole, width - widthOf(sign.text), headlineCut), 'strong'))];
	const timed = left + at + whole.slice(left.length);
	const text = widthOf(sign.text + timed) <= width ? timed : whole;
	return hanging(sign, text, width, 'strong').slice(0, 2);
}

/** The end of a headline that is too long. */
export const headlineCut = '...';

/** The most important notice, on one line: why data is stale, what was missed, what may not be read. */
export function noticeLines(view: View): readonly Line[] {
	const {scene, now, timeZone, size, glyphs} = view;
	const notice = noticeOf(view);
	if (notice === undefined) return [];
	const text = clip(` ${glyphs.held} ${inTimeZone(notice, now, timeZone)}`, size.columns, glyphs.cut);
	return [textLine(text, isStale(scene, now) ? 'bad' : 'warn')];
}

const gapToldFor = 120_000;

/** The progress of reading pods, with a bar if the total is known. */
function readingWords({read, about}: NonNullable<PodsReading>, {full, empty}: Glyphs): string {
	if (about === undefined) return `reading pods: ${read} so far`;
	const cells = Math.floor((read / Math.max(1, about)) * barWidth);
	return `reading pods: ${full.repeat(cells)}${empty.repeat(barWidth - cells)} ${read} of about ${about}`;
}

const barWidth = 10;

/** The problems under which no heartbeat is heard, whatever the API server sends. */
const deafness = ['LeasesForbidden', 'LeaderLeaseForbidden'];

function noticeOf({scene, now, timeZone, glyphs}: View): string | undefined {
	const {link, forecast, gaps, reading} = scene;
	const problems = forecast?.problems ?? [];
	const isDeaf = deafness.every((reason) => problems.some((problem) => problem.reason === reason));
	if (link.state === 'lost') return `${link.reason}. Data from ${timeBeside(link.since, now, timeZone)}.`;
	if (isStale(scene, now)) {
		const interruption = interruptionOf(scene);
		if (interruption) return `${interruption.reason}: ${interruption.message}`;
		if (!isDeaf) return 'The API server sends nothing, not even heartbeats. Data may be stale.';
	}
	if (reading) return `${readingWords(reading, glyphs)}: counts and times are incomplete until then`;
	const gap = gaps.at(-1);
	if (gap && now - gap.to < gapToldFor)
		return `Back since ${timeBeside(gap.to, now, timeZone)}: nothing was heard for ${ago(gap.from, gap.to)}, and what came and went then was missed.`;
	const {tookOverAt: since} = scene;
	if (since !== undefined && now - since < gapToldFor) return `${takeoverWords(since, now)}.`;
	const [first] = problems;
	if (!first) return undefined;
	return problems.length === 1
		? `${first.reason}: ${first.message}`
		: `${problems.length} problems (8 shows them), ${first.reason}: ${first.message}`;
}
