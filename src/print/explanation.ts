import type {Instant} from '../core/time/instant.ts';
import {formatTimestampSeconds} from '../dates/utc.ts';
import type {Explanation, Fact, Reason, Step, Target} from '../forecast/explain/explanation.ts';
import {formatWhen} from './moment.ts';
import {wrap} from './wrap.ts';

/** Explanations as text of eighty columns, each with its numbered steps. */
export function formatExplanations(explanations: readonly Explanation[], now: Instant): string {
	if (explanations.length === 0) return '';
	const head = `Seen at ${formatTimestampSeconds(now)}; all times are UTC.\n`;
	const assumptions = [...new Set(explanations.flatMap((one) => one.assumptions))];
	const foot = section(
		'Taken for granted:',
		assumptions.map((text) => wrap(`- ${sentence(text)}`, '  ', '  ')).join(''),
	);
	const bodies = explanations.map((one) => formatExplanation(one, now));
	return [head, ...bodies, foot].join('\n');
}

function formatExplanation(explanation: Explanation, now: Instant): string {
	const {target, verdict, summary, eviction, steps, whyNot} = explanation;
	const when = formatWhen(eviction, now);
	const sections = [
		`${formatTarget(target)}: ${verdict}${when === '' ? '' : `, ${when}`}\n${wrap(summary, '')}`,
		section('How it comes to that:', steps.map((step, index) => formatStep(step, index, now)).join('')),
		...(['Prevents', 'MayPrevent', 'DoesNotPrevent'] as const).map((effect) =>
			section(
				titles[effect],
				whyNot
					.filter((reason) => reason.effect === effect)
					.map((reason) => formatReason(reason, now))
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

function formatStep(step: Step, index: number, now: Instant): string {
	const when = formatWhen(step.at, now);
	const number = `${index + 1}.`.padStart(4);
	const first = when === '' ? `${number} ` : `${number} ${when}\n     `;
	return first + formatBody(step).replace(/^ {5}/, '');
}

function formatReason(reason: Reason, now: Instant): string {
	const when = formatWhen(reason.at, now);
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
