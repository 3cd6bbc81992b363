import {podKey} from '../../core/model/pod.ts';
import {int64Of} from '../../core/nodepressure/quantities/quantity.ts';
import {conditionOf, type Signal} from '../../core/nodepressure/thresholds/signal.ts';
import type {Instant} from '../../core/time/instant.ts';
import {formatAtMost, formatDuration} from '../../dates/duration.ts';
import {formatAmount, formatThresholdAmount} from '../../forecast/pressure/amount.ts';
import type {
	OomForecast,
	PressureConditionForecast,
	PressureEviction,
	PressureForecast,
	PressureHappening,
	SignalForecast,
} from '../../forecast/pressure/pressureForecast.ts';
import {endWords, ifFallsWords, isPressing, nearestOf} from '../../forecast/pressure/pressureWords.ts';
import type {Victim} from '../../forecast/pressure/victims.ts';
import {count, linked} from '../../forecast/words.ts';
import {AnswerPage} from '../answerPage.ts';
import {formatAt, formatCountdown, formatWhen} from '../countdown.ts';
import type {Column} from '../tables/kind.ts';
import {Table, type TableOptions} from '../tables/table.ts';
import {pressureOf} from '../whatif/rescueCommand.ts';
import {
	crossingWords,
	evictedWhenAt,
	placeWords,
	protectionWords,
	thresholdWords,
	tollWords,
	trendWords,
} from './pressureWords.ts';

/** How many places of the order of eviction are shown by default. */
const fewPlaces = 5;

/** @param isOnce whether to say what to run to see trends, which a watch shows */
type PressureTableOptions = TableOptions & {readonly isOnce?: boolean};

/** The title of a column, with its `drop` order on narrow terminals. */
type Title = string | readonly [title: string, drop: number];

type WriteTable = (titles: readonly Title[], rows: readonly (readonly string[])[]) => string;

function columnOf(one: Title, index: number): Column<readonly string[]> {
	const cell = (row: readonly string[]) => row[index] ?? '';
	return typeof one === 'string' ? {title: one, cell} : {title: one[0], drop: one[1], cell};
}

/** Formats a node's pressure forecast: its signals, the next evictions, and the order of eviction. */
export function formatPressure(
	forecast: PressureForecast,
	{isOnce = false, ...options}: PressureTableOptions,
	now: Instant,
): string {
	const {isWide} = options;
	const {signals, evictions} = forecast;
	const page = new AnswerPage(now, options);
	const table: WriteTable = (titles, rows) =>
		new Table({columns: titles.map(columnOf)}, options).rows(rows, now);
	const shownSignals = isWide ? signals : nearSignals(forecast);
	const others = signals.filter((one) => one.available !== null).length - shownSignals.length;
	return linked(
		'\n',
		`${page.told(headline(forecast, now))}\n${answerText(forecast, page, isOnce)}`,
		table(
			['SIGNAL', 'AVAILABLE', ['THRESHOLD', 3], 'LEFT', ['TREND', 2], ['CROSSED', 1]],
			shownSignals.flatMap((one) => signalRows(one, now)),
		) +
			(others > 0 && !isWide
				? `${count(others, 'other signal')} far from a threshold, not shown; see all with -o wide\n`
				: ''),
		table(
			['NEXT', 'IN', ['AT', 2], ['FOR', 3], ['TERMINATION-GRACE', 4], ['CERTAIN', 1]],
			evictions.map((one) => evictionRow(one, now)),
		),
		...shownSignals.map((one) => orderSection(one, isWide, table)),
		table(
			['OVER ITS LIMIT', 'BY'],
			forecast.overLimits.map(({pod, exceeded}) => [podKey(pod), exceeded[0]?.message.trim() ?? '']),
		),
		table(
			['KILLED IN PLACE (OUT OF MEMORY)', ['USES', 1], ['LIMIT', 2], 'WHEN'],
			forecast.oomKills
				.filter(({crossing: {type}}) => isWide || type === 'met' || type === 'expected')
				.map((one) => oomRow(one, now)),
		),
		table(
			['HAPPENED', 'WHAT', ['POD', 1], ['MESSAGE', 2]],
			(isWide ? forecast.happenings : forecast.happenings.slice(0, fewPlaces)).map((one) =>
				happeningRow(one, now),
			),
		),
		isWide ? assumptionText(forecast, page) : '',
	);
}

function headline(forecast: PressureForecast, now: Instant): string {
	const {node, observedAt, source, nextPass, signals} = forecast;
	if (observedAt === null) return `Node ${node}: its kubelet's statistics cannot be read`;
	const below = signals.flatMap(({signal, thresholds}) =>
		thresholds
			.filter(({crossing}) => crossing.type === 'met')
			.map(({quantity}) => `${signal} is below ${formatThresholdAmount(quantity, signal)}`),
	);
	const what = below.join(', ') || `no threshold is crossed now${goesOnWords(forecast, now)}`;
	const pass = nextPass.latest === null ? 'later' : `within ${formatAtMost(nextPass.latest - now)}`;
	return `Node ${node}: ${what}; ${source === 'metrics' ? 'the metrics API told of memory' : 'measured'} ${formatDuration(now - observedAt)} ago, the kubelet's next pass ${pass}`;
}

/** Explains an eviction that may come although no threshold is crossed: a reclaim may be in progress. Empty if none is. */
function goesOnWords({evictions: [next], signals}: PressureForecast, now: Instant): string {
	if (!next || next.when.earliest > now) return '';
	const untils = signals
		.filter(({signal}) => next.signals.includes(signal))
		.flatMap(({signal, thresholds}) =>
			thresholds.flatMap(({resolvedAt, quantity, distance}) =>
				resolvedAt && distance < Number(int64Of(resolvedAt) - int64Of(quantity))
					? `until ${formatThresholdAmount(resolvedAt, signal)} of ${signal} are free`
					: [],
			),
		);
	return untils.length === 0 ? '' : `, but its kubelet may go on evicting ${untils.join(', ')}`;
}

/** Which pod is evicted next and when, as far as known, and when evictions end. */
function answerText(forecast: PressureForecast, page: AnswerPage, isOnce: boolean): string {
	const {now} = page;
	const {evictions, conditions, signals} = forecast;
	const [next] = evictions;
	const isUnknown = signals.some(({thresholds}) =>
		thresholds.some(({crossing: {type}}) => type === 'unknown'),
	);
	const who = next
		? `${podKey(next.pod)} ${next.isCertain ? 'is' : 'may be'} evicted first, ${evictedWhenAt(next, forecast, now)}`
		: noneNext(forecast, isUnknown);
	const exactly = isOnce
		? `after 20s of \`${page.pasted(`${pressureOf(forecast.node)} -w`)}\``
		: 'with three measurements';
	return [
		who === '' ? '' : page.labelled('Next', who),
		isUnknown ? page.labelled('When exactly', exactly) : '',
		...conditions.map((one) => page.labelled(...conditionLine(one, now))),
	].join('');
}

function noneNext(forecast: PressureForecast, isUnknown: boolean): string {
	const words = ifFallsWords(forecast);
	return words === '' ? '' : `${isUnknown ? 'none now' : 'none on this trend'}; ${words}`;
}

/** The signals that are below a threshold or near one, or whose condition is True. */
function nearSignals({signals, conditions}: PressureForecast): readonly SignalForecast[] {
	const shown = new Set(conditions.filter(({isTrue}) => isTrue).map(({condition}) => condition));
	const isNear = ({signal, thresholds}: SignalForecast) =>
		thresholds.length > 0 && (shown.has(conditionOf(signal)) || thresholds.some(isPressing));
	const near = signals.filter(isNear);
	const nearest = nearestOf(signals);
	return near.length > 0 || !nearest ? near : [nearest];
}

function conditionLine(
	one: PressureConditionForecast,
	now: Instant,
): readonly [title: string, ...lines: readonly string[]] {
	const {condition, isTrue, since, raised, held} = one;
	if (!isTrue)
		return ['Condition', ...(raised ? [`${condition} becomes True ${formatWhen(raised, now)}`] : [])];
	const state = `${condition} ${since === null ? 'is True' : `has been True for ${formatDuration(now - since)}`}`;
	return held ? ['Ends', `${state}; it ${endWords(one, now)}`] : ['Condition', state];
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
	return [
		podKey(pod),
		formatCountdown(when, now),
		formatAt(when, now),
		signals.join(' or '),
		graceSeconds.map((seconds) => `${seconds}s`).join(' or '),
		isCertain ? 'yes' : 'no',
	];
}

function orderSection(
	{signal, victims, thresholds}: SignalForecast,
	isWide: boolean,
	table: WriteTable,
): string {
	const shown = isWide ? victims : victims.slice(0, fewPlaces);
	const rows = shown.map((victim) => [placeWords(victim), ...victimCells(victim, signal)]);
	const more = victims.length - shown.length;
	const rest = more > 0 ? `and ${more} more; see all with -o wide\n` : '';
	const toll = tollWords(thresholds);
	const titles: readonly Title[] = [
		`PLACE FOR ${signal}`,
		'POD',
		['USES', 2],
		['REQUEST', 4],
		['OVER BY', 1],
		['PRIORITY', 3],
	];
	return `${table(titles, rows)}${rest}${toll}`;
}

/** What decides a pod's place: usage minus request, and priority. */
function victimCells(
	{pod, protection, usage, request, overuse, priority}: Victim,
	signal: Signal,
): readonly string[] {
	const name = podKey(pod);
	const over = overuse === null ? 0n : int64Of(overuse);
	return [
		protection === null ? name : `${name} (never: ${protectionWords[protection]})`,
		usage === null ? '<unknown>' : formatAmount(usage, signal),
		request === null ? '-' : formatThresholdAmount(request, signal),
		over > 0n ? formatAmount(over, signal) : '-',
		String(priority),
	];
}

const oomRow = ({pod, container, usage, limit, crossing}: OomForecast, now: Instant) => [
	`${podKey(pod)} ${container}`,
	formatAmount(usage, 'memory.available'),
	formatThresholdAmount(limit, 'memory.available'),
	crossing.at ? formatCountdown(crossing.at, now) : crossing.type === 'met' ? 'now' : 'not on this trend',
];

const happeningRow = ({at, reason, pod, message}: PressureHappening, now: Instant) => [
	at === null ? '<unknown>' : `${formatDuration(Math.max(0, now - at))} ago`,
	reason,
	pod ?? '',
	message.trim(),
];

function assumptionText({assumptions, problems}: PressureForecast, page: AnswerPage): string {
	const list = (title: string, texts: readonly string[]) =>
		texts.length === 0 ? '' : `${title}:\n${texts.map((text) => page.item(text, '-')).join('')}`;
	const unseen = problems.map(({reason, message}) => `${reason}: ${message}`);
	return linked('\n', list('Not seen', unseen), list('Assumptions', assumptions));
}
