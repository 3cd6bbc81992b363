import {podKey} from '../../core/model/pod.ts';
import {inTimeZone, timeBeside} from '../../dates/format.ts';
import {formatAmount, formatThresholdAmount} from '../../forecast/pressure/amount.ts';
import type {PressureForecast, SignalForecast} from '../../forecast/pressure/pressureForecast.ts';
import {conditionEnd, endReason, firstWords, isPressing} from '../../forecast/pressure/pressureWords.ts';
import {
	crossingWords,
	placeWords,
	protectedWords,
	protectionWords,
	thresholdWords,
	tollWords,
	trendWords,
} from '../../print/pressure/pressureWords.ts';
import {nodeOfKey} from '../scene/pressureRows.ts';
import {age, countdown} from '../scene/spans.ts';
import {blank, hanging, type Line, line, paragraph, span, textLine} from '../theme/line.ts';
import type {Tone} from '../theme/palette.ts';
import {padTo, widthOf} from '../theme/text.ts';
import {gaugeBar, gaugeTone} from './gauge.ts';
import type {CellContext, DetailLayout} from './table.ts';

/** How many places of an order are shown; pods beyond are not evicted soon. */
const mostPlaces = 20;
/** The longest signal, `containerfs.inodesFree`, with a space. */
const nameWidth = 23;
/** The width of a gauge, as the screen allows. */
const barWidthIn = (width: number): number => (width >= 100 ? 20 : width >= 80 ? 10 : 5);

/** Everything known about a node's pressure: what is left, which pods are evicted and why, which are not, and what is not known. */
export function pressureDetails(key: string, context: CellContext, width: number): readonly Line[] {
	const {forecast} = context;
	const node = nodeOfKey(key);
	const found = forecast.pressure?.find((one) => one.node === node);
	if (!found) return notSeen(node, width);
	const room = {...context, width};
	return [
		...headLines(found, room),
		...section(
			'WHAT IS LEFT',
			found.signals.flatMap((one) => signalLines(one, room)),
		),
		...section('EVICTED NEXT', evictionLines(found, room)),
		...found.signals
			.filter(({thresholds}) => thresholds.some(isPressing))
			.flatMap((one) => orderLines(one, room)),
		...section('OVER A LIMIT OF THEIR OWN STORAGE', limitLines(found, room)),
		...section('KILLED IN PLACE BY THE KERNEL: NO EVICTION', oomLines(found, room)),
		...section('NEVER EVICTED BY THEIR KUBELET', protectedLines(found, room)),
		...section('WHAT HAPPENED', happeningLines(found, room)),
		...section(
			'WHAT IS NOT SEEN',
			found.problems.flatMap(({reason, message}) => bullet(`${reason}: ${message}`, room)),
		),
		...section(
			'ASSUMPTIONS',
			found.assumptions.flatMap((text) => bullet(text, room, 'dim')),
		),
	];
}

const notSeen = (node: string, width: number): readonly Line[] =>
	paragraph(
		`The kubelet of ${node} was not asked yet. It is asked within seconds where that can be done; of recordings and files nothing but the conditions is known.`,
		width,
		'dim',
	);

const section = (title: string, lines: readonly Line[]): readonly Line[] =>
	lines.length === 0 ? [] : [blank, textLine(` ${title}`, 'heading'), ...lines];

function headLines(
	{observedAt, source, conditions, nextPass}: PressureForecast,
	{now, timeZone, width}: DetailLayout,
): readonly Line[] {
	const measured =
		observedAt === null
			? 'its kubelet’s statistics cannot be read'
			: `${source === 'metrics' ? 'the metrics API told of memory' : 'measured'} ${age(observedAt, now)} ago, the next pass in ${countdown(nextPass, now)}`;
	return [
		textLine(` ${measured}`, observedAt === null ? 'warn' : 'dim'),
		...conditions.flatMap((one): readonly Line[] => {
			const {condition, isTrue, since, held, raised} = one;
			if (!isTrue)
				return raised ? [textLine(` ${condition} comes in ${countdown(raised, now)}`, 'likely')] : [];
			const long = since === null ? '' : ` for ${age(since, now)}`;
			const at = conditionEnd(one);
			const end = held
				? `; ends ${at ? `in ${countdown(at, now)}, ` : ''}${inTimeZone(endReason(one, now), now, timeZone)}`
				: '';
			return paragraph(`${condition} is True${long}${end}`, width, 'bad');
		}),
	];
}

function signalLines(signal: SignalForecast, room: DetailLayout): readonly Line[] {
	const {available, capacity, thresholds, trend} = signal;
	const {now, glyphs, width} = room;
	if (available === null) return [];
	const [barWidth, indent] = [barWidthIn(width), ' '.repeat(nameWidth + 2)];
	const name = span(` ${padTo(signal.signal, nameWidth, glyphs.cut)} `);
	const of = capacity === null ? '' : ` of ${formatAmount(capacity, signal.signal)}`;
	const left = `  ${formatAmount(available, signal.signal)}${of}`;
	const moves = trend ? `, ${trendWords(trend.perSecond.median, signal.signal)}` : '';
	const worst = thresholds.find(isPressing) ?? thresholds[0];
	return [
		line(name, gaugeBar(signal, worst, barWidth, glyphs), span(left, gaugeTone(worst)), span(moves, 'dim')),
		...(thresholds.length === 0 ? [textLine(`${indent}no threshold`, 'dim')] : []),
		...thresholds.flatMap((one) => {
			const when = `${indent}${one.isHard ? 'hard' : 'soft'}: ${crossingWords(one, now)}`;
			const words = thresholdWords(one, signal.signal);
			if (widthOf(when) + widthOf(words) + 2 < width)
				return [line(span(when, gaugeTone(one)), span(`  ${words}`, 'dim'))];
			return [textLine(when, gaugeTone(one)), ...hanging(span(indent), words, width - 1, 'dim')];
		}),
	];
}

function evictionLines({evictions}: PressureForecast, room: DetailLayout): readonly Line[] {
	const {now, glyphs} = room;
	return evictions.flatMap((eviction) => {
		const {pod, when, signals, graceSeconds, isCertain, place} = eviction;
		const first = firstWords(eviction);
		const certainty = isCertain ? 'certain' : 'possible';
		const grace = graceSeconds.map((seconds) => `${seconds}s`).join(' or ');
		const places =
			place.first === place.last ? `place ${place.first}` : `place ${place.first} to ${place.last}`;
		const sure = isCertain ? '' : ', if chance and trends will have it so';
		return led(
			` ${glyphs.certainty[certainty]} ${countdown(when, now)} `.padEnd(18),
			`${podKey(pod)}, for ${signals.join(' or ')}, termination grace ${grace}, ${places}${first === '' ? '' : `, ${first}`}${sure}`,
			room,
			certainty,
		);
	});
}

function orderLines({signal, victims, thresholds}: SignalForecast, room: DetailLayout): readonly Line[] {
	const shown = victims.slice(0, mostPlaces);
	const more = victims.length - shown.length;
	const toll = tollWords(thresholds).trim();
	return section(`ORDER FOR ${signal}`, [
		...shown.flatMap((victim) =>
			led(
				` ${placeWords(victim)} `.padEnd(6),
				`${podKey(victim.pod)} ${protectedWords(victim)}${victim.because}`,
				room,
				victim.protection === null ? undefined : 'dim',
			),
		),
		...(more > 0 ? [textLine(` and ${more} more`, 'dim')] : []),
		...(toll === '' ? [] : [textLine(` ${toll}`, 'strong')]),
	]);
}

const limitLines = ({overLimits}: PressureForecast, room: DetailLayout): readonly Line[] =>
	overLimits.flatMap(({pod, exceeded, protection, when}) =>
		exceeded.flatMap(({message}) =>
			bullet(
				`${podKey(pod)}: ${message.trim()}${protection ? ` It is never evicted (${protectionWords[protection]}).` : when ? ` Evicted in ${countdown(when, room.now)}.` : ''}`,
				room,
				protection ? 'dim' : 'certain',
			),
		),
	);

const oomLines = ({oomKills}: PressureForecast, room: DetailLayout): readonly Line[] =>
	oomKills.flatMap(({pod, container, usage, limit, crossing}) => {
		const when =
			'at' in crossing
				? `, in ${countdown(crossing.at, room.now)}${crossing.type === 'possible' ? ' perhaps' : ''}`
				: crossing.type === 'met'
					? ', now'
					: '';
		const [used, most] = [
			formatAmount(usage, 'memory.available'),
			formatThresholdAmount(limit, 'memory.available'),
		];
		return bullet(
			`${podKey(pod)}, container ${container}: uses ${used} of its limit of ${most}${when}`,
			room,
		);
	});

const protectedLines = ({protectedPods}: PressureForecast, room: DetailLayout): readonly Line[] =>
	protectedPods.flatMap(({pod, why}) => bullet(`${podKey(pod)}: ${protectionWords[why]}`, room, 'dim'));

const happeningLines = ({happenings}: PressureForecast, room: DetailLayout): readonly Line[] =>
	happenings
		.slice(0, mostPlaces)
		.flatMap(({at, reason, pod, message}) =>
			led(
				` ${at === null ? '?' : timeBeside(at, room.now, room.timeZone)} `,
				`${reason}${pod === null ? '' : ` ${pod}`}: ${message.trim()}`,
				room,
			),
		);

const bullet = (text: string, room: DetailLayout, tone?: Tone): readonly Line[] =>
	led(` ${room.glyphs.stays} `, text, room, tone);

/** A text with a prefix on its first line. */
const led = (
	lead: string,
	text: string,
	{now, timeZone, width}: DetailLayout,
	tone?: Tone,
): readonly Line[] => hanging(span(lead, 'key'), inTimeZone(text, now, timeZone), width - 1, tone);
