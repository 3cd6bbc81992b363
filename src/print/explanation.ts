import type {Instant} from '../core/time/instant.ts';
import {dateAndTime, inTimeZone} from '../dates/format.ts';
import {type TimeZone, timeZoneWords, utc} from '../dates/timeZone.ts';
import type {Explanation, Fact, Reason, Step, Target} from '../forecast/explain/explanation.ts';
import {type Connection, pasted} from '../text/pasted.ts';
import {shellWord} from '../text/shellWord.ts';
import {formatWhen} from './moment.ts';
import {wrap} from './wrap.ts';

/** How explanations are shown: in full with rules, evidence and assumptions; in short without. */
type ExplanationOptions = {
	readonly isFull: boolean;
	readonly zone?: TimeZone;
	readonly connection?: Connection;
};

/** Formats explanations as text of eighty columns. */
export function formatExplanations(
	explanations: readonly Explanation[],
	now: Instant,
	{isFull, zone = utc, connection = ''}: ExplanationOptions,
): string {
	if (explanations.length === 0) return '';
	const head = `Seen at ${dateAndTime(now, zone)}; all times are ${timeZoneWords(now, zone)}.\n`;
	const shown = explanations.map((one) => explanationIn(one, now, zone));
	if (!isFull)
		return [head, ...shown.map((one) => formatBrief(one, now, zone, connection)), briefFoot].join('\n');
	const assumptions = [...new Set(shown.flatMap((one) => one.assumptions))];
	const foot = section(
		'Assumptions:',
		assumptions.map((text) => wrap(`- ${sentence(text)}`, '  ', '  ')).join(''),
	);
	const bodies = shown.map((one) => formatExplanation(one, now, zone));
	return [head, ...bodies, foot].join('\n');
}

const briefFoot = 'Rules, evidence and assumptions: --full\n';

/** Steps that are told in short: the last ones, which lead to the end. */
const mostSteps = 4;

/** What, when, why, what stops it, and what can be done. */
function formatBrief(explanation: Explanation, now: Instant, zone: TimeZone, connection: Connection): string {
	const advice = adviceOf(explanation);
	const why = briefSteps(explanation).map(({at, what}) => {
		const [first = ''] = formatWhen(at, now, zone).split(' (');
		return wrap(`${first === '' ? '-' : first}  ${sentence(what)}`, '  ', '  ');
	});
	const stops = stopsOf(explanation, now, zone).map((text) => wrap(`- ${sentence(text)}`, '  ', '  '));
	return [
		titleOf(explanation, now, zone),
		section('Why:', why.join('')),
		section('What stops it:', stops.join('')),
		section('What you can do:', advice === '' ? '' : `  ${pasted(advice, connection)}\n`),
	].join('');
}

// A zone's steps are what its state follows from, which have no time of their own.
function briefSteps({target, steps}: Explanation): readonly Step[] {
	if (target.kind === 'zone') return steps.filter(({at}) => at === null).slice(0, mostSteps);
	return inOrder(steps)
		.filter(({at}) => at !== null)
		.slice(-mostSteps);
}

function stopsOf({held, whyNot}: Explanation, now: Instant, zone: TimeZone): readonly string[] {
	const others = whyNot.filter(({effect}) => effect !== 'DoesNotPrevent');
	if (held === null)
		return others.map(({what, effect}) => (effect === 'MayPrevent' ? `perhaps: ${what}` : what));
	const since = held.since === null ? '' : `, since ${formatWhen(held.since, now, zone)}`;
	return [`${held.by}${since}`, `evictions resume when ${held.releasedBy}`];
}

/** What to ask next; nothing of a pod that nothing is coming for, or that is Terminating or overdue: no answer would help it. */
function adviceOf({target, verdict, eviction, held}: Explanation): string {
	switch (target.kind) {
		case 'pod':
			if (held === null && (eviction === null || verdict === 'Overdue' || verdict === 'Terminating'))
				return '';
			return `kubectl evictwatch rescue ${shellWord(target.name)} -n ${shellWord(target.namespace)}`;
		case 'node':
			return `kubectl evictwatch rescue node/${shellWord(target.name)}`;
		case 'zone':
			return 'kubectl evictwatch what-if --how-many-more';
	}
}

/** Steps in the order of time; one without a time stays behind the one that it follows. */
function inOrder(steps: readonly Step[]): readonly Step[] {
	let last = Number.NEGATIVE_INFINITY;
	const timed = steps.map((step) => {
		const {at} = step;
		if (at !== null) last = typeof at === 'number' ? at : at.earliest;
		return {step, at: last};
	});
	return timed.toSorted((a, b) => a.at - b.at || 0).map(({step}) => step);
}

/** An explanation with the times in its sentences and its evidence put into a zone. */
export function explanationIn(explanation: Explanation, now: Instant, zone: TimeZone): Explanation {
	const shown = (text: string) => inTimeZone(text, now, zone);
	const {summary, held, steps, whyNot, assumptions} = explanation;
	const stepIn = <One extends Step>(step: One): One => ({
		...step,
		what: shown(step.what),
		evidence: step.evidence.map((fact) => ({...fact, value: shown(fact.value), note: shown(fact.note)})),
	});
	return {
		...explanation,
		summary: shown(summary),
		held: held && {...held, by: shown(held.by), releasedBy: shown(held.releasedBy)},
		steps: steps.map(stepIn),
		whyNot: whyNot.map(stepIn),
		assumptions: assumptions.map(shown),
	};
}

function formatExplanation(explanation: Explanation, now: Instant, zone: TimeZone): string {
	const {steps, whyNot} = explanation;
	const sections = [
		titleOf(explanation, now, zone),
		section(
			'Why:',
			inOrder(steps)
				.map((step, index) => formatStep(step, index, now, zone))
				.join(''),
		),
		...(['Prevents', 'MayPrevent', 'DoesNotPrevent'] as const).map((effect) =>
			section(
				titles[effect],
				whyNot
					.filter((reason) => reason.effect === effect)
					.map((reason) => formatReason(reason, now, zone))
					.join(''),
			),
		),
	];
	return sections.filter((text) => text !== '').join('\n');
}

function titleOf({target, verdict, eviction, summary}: Explanation, now: Instant, zone: TimeZone): string {
	const when = formatWhen(eviction, now, zone);
	return `${formatTarget(target)}: ${verdict}${when === '' ? '' : `, ${when}`}\n${wrap(summary, '')}`;
}

const titles: Readonly<Record<Reason['effect'], string>> = {
	Prevents: 'What stops it:',
	MayPrevent: 'What may stop it:',
	DoesNotPrevent: 'What does not stop it:',
};

const section = (title: string, body: string): string => (body === '' ? '' : `${title}\n${body}`);

const formatTarget = (target: Target): string =>
	target.kind === 'pod'
		? `pod/${target.name} in namespace ${target.namespace}`
		: `${target.kind}/${target.name}`;

function formatStep(step: Step, index: number, now: Instant, zone: TimeZone): string {
	const when = formatWhen(step.at, now, zone);
	const number = `${index + 1}.`.padStart(4);
	const first = when === '' ? `${number} ` : `${number} ${when}\n     `;
	return first + formatBody(step).replace(/^ {5}/, '');
}

function formatReason(reason: Reason, now: Instant, zone: TimeZone): string {
	const when = formatWhen(reason.at, now, zone);
	const since = when === '' ? '' : `, ${reason.effect === 'Prevents' ? 'since ' : ''}${when}`;
	return `   * ${reason.reason}${since}\n${formatBody(reason)}`;
}

const indent = ' '.repeat(5);

function formatBody({what, rule, evidence}: Step): string {
	const lines = [wrap(sentence(what), indent)];
	if (rule !== null) lines.push(wrap(`rule: ${rule}`, indent, '  '));
	return [...lines, ...evidence.map(formatFact)].join('');
}

function formatFact({object, field, value, note}: Fact): string {
	return wrap(`- ${object} ${field}: ${value}${note === '' ? '' : ` (${note})`}`, indent, '  ');
}

const sentence = (text: string): string =>
	`${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
