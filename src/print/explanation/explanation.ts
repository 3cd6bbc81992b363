import {grouped} from '../../core/collections/grouped.ts';
import {unique} from '../../core/collections/unique.ts';
import {beginningOfTime, type Instant} from '../../core/time/instant.ts';
import type {Explanation, Fact, Step, Target, WhyNot} from '../../forecast/explain/explanation.ts';
import {linked, sentence, someOf, startOf} from '../../forecast/words.ts';
import {shellWord} from '../../text/pasted.ts';
import {type AnswerOptions, AnswerPage} from '../answerPage.ts';
import {releaseText} from '../countdown.ts';
import {formatClock, formatClockAndCountdown} from '../moment.ts';
import {pressureOf, rescueOf} from '../whatif/rescueCommand.ts';

/** Formats explanations as text of eighty columns. @param isFull adds rules, evidence and assumptions */
export function formatExplanations(
	explanations: readonly Explanation[],
	now: Instant,
	{isFull, ...options}: AnswerOptions & {readonly isFull: boolean},
): string {
	if (explanations.length === 0) return '';
	const page = new AnswerPage(now, options);
	if (!isFull) {
		const texts = alike(explanations.map((one) => ({one, text: formatBrief(one, page)})));
		return `${texts.join('\n')}${page.seen} Rules and evidence: --full\n`;
	}
	const assumptions = unique(explanations.flatMap((one) => one.assumptions));
	const foot = section(
		'Assumptions:',
		assumptions.map((text) => page.item(sentence(text), '-')),
	);
	return [`${page.seen}\n`, ...explanations.map((one) => formatExplanation(one, page)), foot].join('\n');
}

type Brief = {readonly one: Explanation; readonly text: string};

/** The texts, merged into one for pods of a namespace whose texts differ only in the name. */
function alike(briefs: readonly Brief[]): readonly string[] {
	const groups = grouped(briefs, ({one: {target}, text}) =>
		target.kind === 'pod' ? `${target.namespace} ${text.replaceAll(target.name, ' ')}` : text,
	);
	return groups.map(([, ones]) => {
		const [first, ...others] = ones;
		const name = ({one: {target}}: Brief) => `pod/${target.name}`;
		return others.length === 0 ? first.text : first.text.replace(name(first), someOf(ones.map(name)));
	});
}

/** The line limit of a short explanation, without the line below it and what follows the deletion. */
const mostLines = 9;

/** What, when, why, what stops it, and what can be done, with as many steps as fit. */
export function formatBrief(explanation: Explanation, page: AnswerPage): string {
	const title = titleOf(explanation, page);
	const told = page.wrap(answerOf(explanation, page.now));
	const stops = stopsOf(explanation);
	const stop = stops === '' ? '' : page.wrap(`What stops it: ${stops}`, '', '  ');
	const help = helpOf(explanation, page);
	const follows = followsOf(explanation, page);
	const room = mostLines - linesIn(title + told + stop + help);
	const rows = briefSteps(explanation, page.now).map((step) => briefRow(step, page));
	const why = choices[explanation.target.kind](rows, room);
	return title + told + why.join('').replace(/^ {5}/, 'Why: ') + follows + stop + help;
}

/** The first lines: what happens, or what stops it, since when and until when. */
function answerOf({summary, held}: Explanation, now: Instant): string {
	if (held === null) return summary;
	const {by, since} = held;
	const from = since === null ? '' : ` since ${formatClockAndCountdown(since, now)}`;
	return `Held${from}: ${by}. ${releaseText(held, now)}`;
}

/** What follows the deletion, for the pod and its owner. */
function followsOf({steps}: Explanation, page: AnswerPage): string {
	const follows = steps.filter(({isAftermath}) => isAftermath).map(({what}) => sentence(what));
	return follows.length === 0 ? '' : page.wrap(`Then: ${follows.join(' ')}`, '', '  ');
}

function helpOf(explanation: Explanation, page: AnswerPage): string {
	const advice = adviceOf(explanation);
	if (advice === '') return '';
	const isQuestion = advice.startsWith('kubectl evictwatch what-if');
	const title = isQuestion ? 'What one more dead node would do:' : 'What you can do:';
	return `${title}\n${page.command(advice)}`;
}

const linesIn = (text: string) => text.split('\n').length - 1;

function briefRow({at, what}: Step, page: AnswerPage): string {
	const text = what.replace(/ \(known from: [^)]*\)/, '');
	return page.wrap(linked('  ', formatClock(at, page.now), sentence(text)), indent, '  ');
}

/** The first rows that fit, at least one. */
function firstThatFit(rows: readonly string[], room: number): readonly string[] {
	let lines = 0;
	const end = rows.findIndex((row, index) => {
		lines += linesIn(row);
		return lines > room && index > 0;
	});
	return end < 0 ? rows : rows.slice(0, end);
}

const lastThatFit = (rows: readonly string[], room: number) =>
	firstThatFit(rows.toReversed(), room).toReversed();

function causeAndLastThatFit([cause, ...rest]: readonly string[], room: number): readonly string[] {
	if (cause === undefined) return [];
	return rest.length === 0 ? [cause] : [cause, ...lastThatFit(rest, room - linesIn(cause))];
}

/** The cause of a pod's end and the last steps if both fit, else only the last steps. */
function causeIfRoom(rows: readonly string[], room: number): readonly string[] {
	const [first = '', last = ''] = [rows[0], rows.at(-1)];
	return linesIn(first + last) <= room ? causeAndLastThatFit(rows, room) : lastThatFit(rows, room);
}

/**
 * Which steps are kept, by kind. A node: its problem, then the last steps before the end. A zone: the first ones, from which
 * its state follows.
 */
const choices = {pod: causeIfRoom, node: causeAndLastThatFit, zone: firstThatFit} as const;

/** The candidate steps of a short answer; of a zone first those that have a time. */
function briefSteps(explanation: Explanation, now: Instant): readonly Step[] {
	const {target, steps, eviction, whyNot, summary} = explanation;
	const isSaid = (what: string) =>
		[summary, ...whyNot.map((reason) => reason.what)].some((text) => isSaidIn(text, what));
	if (target.kind === 'zone')
		return steps
			.filter(({isAside, what}) => !isAside && !isSaid(what))
			.toSorted((a, b) => Number(a.at === null) - Number(b.at === null));
	// What happened to its node does not matter if something else keeps a pod.
	const isOfNode = whyNot.some(({reason}) => reason === 'NodeWell' || reason === 'OnlyNoSchedule');
	if (target.kind === 'pod' && isKept(explanation) && !isOfNode) return [];
	// The first line already has the eviction.
	const isTold = ({at}: Step) => target.kind === 'pod' && at !== null && at === eviction;
	// What comes after a pod's end does not lead to it.
	const isLater = ({at}: Step) => target.kind === 'pod' && eviction !== null && startOf(at) > eviction.end;
	// The first line also has what will happen to a node.
	const isToCome = ({at}: Step) => target.kind === 'node' && startOf(at) > now;
	return inOrder(steps).filter(
		(step) => step.at !== null && !step.isAside && !isTold(step) && !isLater(step) && !isToCome(step),
	);
}

const isKept = ({verdict, eviction}: Explanation) =>
	eviction === null && (verdict === 'Held' || verdict === 'Stays' || verdict === 'Safe');

/** How many reasons a short answer has. */
const mostReasons = 2;

function stopsOf({held, whyNot, summary}: Explanation): string {
	if (held !== null) return '';
	return whyNot
		.filter(({effect, what}) => effect !== 'DoesNotPrevent' && !isSaidIn(summary, what))
		.slice(0, mostReasons)
		.map(({what, effect}) => `${effect === 'MayPrevent' ? 'perhaps: ' : ''}${sentence(inShort(what))}`)
		.join(' ');
}

/** Removes the eviction times that follow if evictions resumed. */
const inShort = (what: string) => what.replace(/\. If they resumed now, .*$/, '');

const isSaidIn = (summary: string, what: string) =>
	summary.toLowerCase().includes(what.toLowerCase().replace(/\.$/, ''));

/** The next command to run. Empty for a pod that nothing will evict or that is overdue, because no answer would help, unless it is stuck. */
function adviceOf({target, verdict, eviction, held, isStuck, pressedBy}: Explanation): string {
	switch (target.kind) {
		case 'pod':
			if (
				!isStuck &&
				pressedBy === undefined &&
				held === null &&
				(eviction === null || verdict === 'Overdue')
			)
				return '';
			return rescueOf(target);
		case 'node':
			if (verdict === 'Recovering') return '';
			if (pressedBy) return pressureOf(target.name);
			return verdict === 'Healthy' || verdict === 'Unsure'
				? `kubectl evictwatch what-if --node-down ${shellWord(target.name)}`
				: `kubectl evictwatch rescue node/${shellWord(target.name)}`;
		case 'zone':
			return 'kubectl evictwatch what-if --how-many-more';
	}
}

/** Steps in chronological order; one without a time stays behind the one before it. */
export function inOrder(steps: readonly Step[]): readonly Step[] {
	let last = beginningOfTime;
	const timed = steps.map((step) => {
		const {at} = step;
		if (at !== null) last = startOf(at);
		return {step, at: last};
	});
	return timed.toSorted((a, b) => a.at - b.at || 0).map(({step}) => step);
}

function formatExplanation(explanation: Explanation, page: AnswerPage): string {
	return linked(
		'\n',
		titleOf(explanation, page) + page.wrap(explanation.summary),
		section(
			'Why:',
			inOrder(explanation.steps).map((step, index) => formatStep(step, index, page)),
		),
		...reasonsByEffect(explanation).map(([title, reasons]) =>
			section(
				`${title}:`,
				reasons.map((reason) => formatReason(reason, page)),
			),
		),
	);
}

function titleOf(explanation: Explanation, page: AnswerPage): string {
	const shown = `${formatTarget(explanation.target)}: ${verdictWords(explanation)}`;
	return page.told(`${linked(', ', shown, formatClockAndCountdown(explanation.eviction, page.now))}\n`);
}

/** A verdict, as titles have it: `Safe, but an eviction is possible: its node has MemoryPressure`. */
export function verdictWords({target, verdict, whyNot, pressedBy = []}: Explanation): string {
	const pressed =
		pressedBy.length === 0
			? ''
			: target.kind === 'node'
				? `, ${pressedBy.join(', ')}`
				: `, but an eviction is possible: its node has ${pressedBy.join(' and ')}`;
	const hasEnded = whyNot.some(({reason, effect}) => reason === 'FinishedPod' && effect === 'Prevents');
	return `${hasEnded ? 'Ended' : verdict}${pressed}`;
}

const titles = [
	['Prevents', 'What stops it'],
	['MayPrevent', 'What may stop it'],
	['DoesNotPrevent', 'What does not stop it'],
] as const;

/** The reasons by their effect, with the title of each. */
export const reasonsByEffect = ({whyNot}: Explanation) =>
	titles.map(([effect, title]) => [title, whyNot.filter((reason) => reason.effect === effect)] as const);

const section = (title: string, body: readonly string[]) =>
	body.length === 0 ? '' : `${title}\n${body.join('')}`;

const formatTarget = (target: Target) =>
	target.kind === 'pod'
		? `pod/${target.name} in namespace ${target.namespace}`
		: `${target.kind}/${target.name}`;

function formatStep(step: Step, index: number, page: AnswerPage): string {
	const when = page.told(formatClockAndCountdown(step.at, page.now));
	const number = `${index + 1}.`.padStart(4);
	const first = when === '' ? `${number} ` : `${number} ${when}\n     `;
	return first + formatBody(step, page).replace(/^ {5}/, '');
}

function formatReason(reason: WhyNot, page: AnswerPage): string {
	const when = page.told(formatClockAndCountdown(reason.at, page.now));
	const since = when === '' ? '' : `, ${reason.effect === 'Prevents' ? 'since ' : ''}${when}`;
	return `   * ${reason.reason}${since}\n${formatBody(reason, page)}`;
}

const indent = ' '.repeat(5);

function formatBody({what, rule, evidence}: Step, page: AnswerPage): string {
	const more = [
		...(rule === null ? [] : [`rule: ${rule}`]),
		...evidence.map((fact) => `- ${factWords(fact)}`),
	];
	return page.wrap(sentence(what), indent) + more.map((text) => page.wrap(text, indent, '  ')).join('');
}

/** One observed fact: `node/b1 Ready: Unknown (since 14:07:31Z)`. */
export const factWords = ({object, field, value, note}: Fact) =>
	`${object} ${field}: ${value}${note === '' ? '' : ` (${note})`}`;
