import type {Instant} from '../core/time/instant.ts';
import {dateAndTime, inTimeZone} from '../dates/format.ts';
import {type TimeZone, timeZoneWords, utc} from '../dates/timeZone.ts';
import type {Explanation, Fact, Reason, Step, Target} from '../forecast/explain/explanation.ts';
import {formatWhen} from './moment.ts';
import {wrap} from './wrap.ts';

/** Formats explanations as text of eighty columns, with numbered steps. */
export function formatExplanations(
	explanations: readonly Explanation[],
	now: Instant,
	zone: TimeZone = utc,
): string {
	if (explanations.length === 0) return '';
	const head = `Seen at ${dateAndTime(now, zone)}; all times are ${timeZoneWords(now, zone)}.\n`;
	const shown = explanations.map((one) => explanationIn(one, now, zone));
	const assumptions = [...new Set(shown.flatMap((one) => one.assumptions))];
	const foot = section(
		'Taken for granted:',
		assumptions.map((text) => wrap(`- ${sentence(text)}`, '  ', '  ')).join(''),
	);
	const bodies = shown.map((one) => formatExplanation(one, now, zone));
	return [head, ...bodies, foot].join('\n');
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
	const {target, verdict, summary, eviction, steps, whyNot} = explanation;
	const when = formatWhen(eviction, now, zone);
	const sections = [
		`${formatTarget(target)}: ${verdict}${when === '' ? '' : `, ${when}`}\n${wrap(summary, '')}`,
		section('How it comes to that:', steps.map((step, index) => formatStep(step, index, now, zone)).join('')),
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

const titles: Readonly<Record<Reason['effect'], string>> = {
	Prevents: 'Why not, or not now:',
	MayPrevent: 'Why perhaps not:',
	DoesNotPrevent: 'What does not prevent it:',
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
