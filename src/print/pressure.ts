import type {NodePod} from '../core/nodepressure/nodePod.ts';
import {int64Of} from '../core/nodepressure/quantities/quantity.ts';
import type {Instant} from '../core/time/instant.ts';
import {inTimeZone} from '../dates/format.ts';
import {utc} from '../dates/timeZone.ts';
import {formatAmount, formatThresholdAmount} from '../forecast/pressure/amount.ts';
import type {
	OomForecast,
	PressureConditionForecast,
	PressureEviction,
	PressureForecast,
	PressureHappening,
	SignalForecast,
} from '../forecast/pressure/pressureForecast.ts';
import {firstWords} from '../forecast/pressure/pressureWords.ts';
import {escapeForCell} from '../text/escape.ts';
import {formatCountdown, formatDuration, formatWhen, formatWhenAt} from './countdown.ts';
import {labelled} from './labelled.ts';
import {
	crossingWords,
	placeWords,
	protectedWords,
	thresholdWords,
	tollWords,
	trendWords,
} from './pressureWords.ts';
import type {TableOptions} from './tables/table.ts';
import {TabWriter} from './tables/tabWriter.ts';
import {wrap} from './wrap.ts';

/** The places of the order of eviction that are shown, unless all are asked for. */
const fewPlaces = 5;

/** Formats a node's pressure forecast: its signals, the next evictions, and the order of eviction. */
export function formatPressure(
	forecast: PressureForecast,
	{isWide, showHeaders, timeZone = utc}: TableOptions,
	now: Instant,
): string {
	const {signals, evictions, conditions} = forecast;
	const shownIn = (text: string) => inTimeZone(text, now, timeZone);
	const shown = (text: string) => escapeForCell(shownIn(text));
	const table = (headers: readonly string[], rows: readonly (readonly string[])[]) =>
		rows.length === 0
			? ''
			: new TabWriter().write([...(showHeaders ? [headers] : []), ...rows.map((row) => row.map(shown))]);
	const ordered = signals.filter((one) => isWorthAnOrder(one, isWide));
	const sections = [
		shownIn(`${headline(forecast, now)}\n${answerText(forecast, now)}`),
		conditions.map((one) => conditionLine(one, now)).join(''),
		table(
			['SIGNAL', 'AVAILABLE', 'THRESHOLD', 'LEFT', 'TREND', 'CROSSED'],
			signals.filter((one) => isWide || one.available !== null).flatMap((one) => signalRows(one, now)),
		),
		table(
			['NEXT', 'WHEN', 'FOR', 'GRACE', 'CERTAIN'],
			evictions.map((one) => evictionRow(one, now)),
		),
		...ordered.map((one) => orderSection(one, isWide, table)),
		table(
			['OVER ITS LIMIT', 'BY'],
			forecast.overLimits.map(({pod, exceeded}) => [nameOf(pod), exceeded[0]?.message.trim() ?? '']),
		),
		table(
			['KILLED IN PLACE (OUT OF MEMORY)', 'USES', 'LIMIT', 'WHEN'],
			forecast.oomKills.map((one) => oomRow(one, now)),
		),
		table(
			['HAPPENED', 'WHAT', 'POD', 'MESSAGE'],
			(isWide ? forecast.happenings : forecast.happenings.slice(0, fewPlaces)).map((one) =>
				happeningRow(one, now),
			),
		),
		isWide ? assumptionText(forecast) : '',
	];
	return sections.filter((text) => text !== '').join('\n');
}

const nameOf = ({namespace, name}: NodePod): string => `${namespace}/${name}`;

function headline({node, observedAt, source, nextPass, signals}: PressureForecast, now: Instant): string {
	if (observedAt === null) return `Node ${node}: its kubelet's statistics cannot be read`;
	const below = signals.filter(({thresholds}) => thresholds.some(({crossing}) => crossing.type === 'met'));
	const what =
		below.length === 0
			? 'no threshold is crossed'
			: `below a threshold of ${below.map(({signal}) => signal).join(', ')}`;
	const pass = nextPass.latest === null ? 'later' : `within ${formatDuration(nextPass.latest - now)}`;
	return `Node ${node}: ${what}; ${source === 'metrics' ? 'the metrics API told of memory' : 'measured'} ${formatDuration(now - observedAt)} ago, the kubelet's next pass ${pass}`;
}

/** Who is evicted next and when, as far as that can be told. */
function answerText(forecast: PressureForecast, now: Instant): string {
	const {signals, evictions, observedAt} = forecast;
	if (observedAt === null) return '';
	const [next] = evictions;
	if (next) {
		const who = `${nameOf(next.pod)} ${next.isCertain ? 'is' : 'may be'} evicted first, ${formatWhenAt(next.when, now)}`;
		return labelled('Next', who);
	}
	const first = firstIfCrossed(signals);
	const isUnknown = signals.some(({thresholds}) =>
		thresholds.some(({crossing: {type}}) => type === 'unknown'),
	);
	const when = isUnknown
		? 'not known before three measurements: 20s of -w'
		: 'on this trend no threshold is crossed';
	return (first === '' ? '' : labelled('Next', first)) + labelled('When', when);
}

/** Who would be evicted first for the threshold that is nearest; empty where nobody would. */
function firstIfCrossed(signals: readonly SignalForecast[]): string {
	const nearest = signals
		.flatMap(({signal, victims, thresholds}) =>
			thresholds.map(({threshold, isHard, quantity, distance}) => {
				const soft = isHard ? '' : ` for ${formatDuration(threshold.gracePeriod)}`;
				const limit = `${formatThresholdAmount(quantity, signal)}${soft}`;
				return {signal, limit, victims, share: distance / Math.max(1, Number(int64Of(quantity)))};
			}),
		)
		.toSorted((a, b) => a.share - b.share)[0];
	const victim = nearest?.victims.find(({protection}) => protection === null);
	if (!nearest || !victim) return '';
	const who = victim.tied > 1 ? `one of ${victim.tied} pods, in random order,` : nameOf(victim.pod);
	return `if ${nearest.signal} falls below ${nearest.limit}, ${who} is evicted first`;
}

function conditionLine(
	{condition, isTrue, isMet, since, raised, held}: PressureConditionForecast,
	now: Instant,
): string {
	if (!isTrue) return raised ? `${condition} becomes True ${formatWhen(raised, now)}\n` : '';
	const state = since === null ? 'is True' : `has been True for ${formatDuration(now - since)}`;
	const end = held ? `; becomes False ${formatWhen(held, now)}` : '';
	return `${condition} ${state}${end}${isMet ? ', once no signal is below its threshold' : ''}\n`;
}

function signalRows(
	{signal, available, thresholds, trend}: SignalForecast,
	now: Instant,
): readonly (readonly string[])[] {
	const left = available === null ? '<unknown>' : formatAmount(available, signal);
	const moves = trend ? trendWords(trend.perSecond.median, signal) : '<unknown>';
	if (thresholds.length === 0) return [[signal, left, '<none>', '', moves, '']];
	return thresholds.map((one) => [
		signal,
		left,
		thresholdWords(one, signal),
		formatAmount(one.distance, signal),
		moves,
		crossingWords(one, now),
	]);
}

function evictionRow(eviction: PressureEviction, now: Instant): readonly string[] {
	const {pod, when, signals, graceSeconds, isCertain} = eviction;
	const first = firstWords(eviction);
	return [
		nameOf(pod),
		formatCountdown(when, now),
		signals.join(' or '),
		graceSeconds.map((seconds) => `${seconds}s`).join(' or '),
		`${isCertain ? 'yes' : 'no'}${first === '' ? '' : `, ${first}`}`,
	];
}

/** The signals to show: those near a threshold, or all where asked for. */
const isWorthAnOrder = ({thresholds, victims}: SignalForecast, isWide: boolean): boolean =>
	victims.length > 0 &&
	(isWide || thresholds.some(({crossing}) => crossing.type === 'met' || crossing.type === 'expected'));

function orderSection(
	{signal, victims, thresholds}: SignalForecast,
	isWide: boolean,
	table: (headers: readonly string[], rows: readonly (readonly string[])[]) => string,
): string {
	const shown = isWide ? victims : victims.slice(0, fewPlaces);
	const rows = shown.map((victim) => [
		placeWords(victim),
		nameOf(victim.pod),
		protectedWords(victim) + victim.because,
	]);
	const more = victims.length - shown.length;
	const rest = more > 0 ? `and ${more} more; see all with -o wide\n` : '';
	const needs = thresholds.find(({toResolve}) => toResolve.length > 0);
	const toll = needs ? tollWords(needs) : '';
	return `${table([`PLACE FOR ${signal}`, 'POD', 'BECAUSE IT'], rows)}${rest}${toll}`;
}

const oomRow = ({pod, container, usage, limit, crossing}: OomForecast, now: Instant): readonly string[] => [
	`${nameOf(pod)} ${container}`,
	formatAmount(usage, 'memory.available'),
	formatThresholdAmount(limit, 'memory.available'),
	'at' in crossing
		? formatCountdown(crossing.at, now)
		: crossing.type === 'met'
			? 'now'
			: 'not on this trend',
];

const happeningRow = ({at, reason, pod, message}: PressureHappening, now: Instant): readonly string[] => [
	at === null ? '<unknown>' : `${formatDuration(Math.max(0, now - at))} ago`,
	reason,
	pod ?? '',
	message.trim(),
];

const assumptionText = ({assumptions}: PressureForecast): string =>
	assumptions.length === 0
		? ''
		: `Assumptions:\n${assumptions.map((text) => wrap(`- ${text}`, '  ', '  ')).join('')}`;
