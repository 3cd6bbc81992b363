import type {Instant} from '../../core/time/instant.ts';
import {timeBeside, timeOfDay} from '../../dates/format.ts';
import {roundedEnd} from '../../dates/utc.ts';
import type {Explanation, Fact, Reason, Step} from '../../forecast/explain/explanation.ts';
import type {Held} from '../../forecast/podForecast.ts';
import {sentence, type When} from '../../forecast/words.ts';
import {explanationIn} from '../../print/explanation/explanation.ts';
import {releaseText} from '../../print/explanation/releaseText.ts';
import {age, clockSpan} from '../scene/spans.ts';
import {blank, hanging, type Line, line, paragraph, span, textLine} from '../theme/line.ts';
import type {Tone} from '../theme/palette.ts';
import {wrapText} from '../theme/text.ts';
import type {DetailLayout} from '../views/table.ts';

const timeWidth = 19;

/** The reasoning of an explanation: summary, steps along a time line, what prevents it, assumptions. */
export function explanationLines(explanation: Explanation, room: DetailLayout): readonly Line[] {
	const {summary, held, steps, whyNot, assumptions} = explanationIn(explanation, room.now, room.timeZone);
	const {width} = room;
	return [
		...paragraph(summary, width, 'strong'),
		...(held ? heldLines(held, room) : []),
		blank,
		textLine(' WHY', 'heading'),
		...stepLines(steps, room),
		...section(' WHY NOT, OR NOT NOW', ofEffect(whyNot, 'Prevents'), room),
		...section(' WHY PERHAPS NOT', ofEffect(whyNot, 'MayPrevent'), room),
		...section(' WHAT DOES NOT PREVENT IT', ofEffect(whyNot, 'DoesNotPrevent'), room),
		...(assumptions.length === 0 ? [] : [blank, textLine(' ASSUMPTIONS', 'heading')]),
		...assumptions.flatMap((text) => bullet(sentence(text), 'dim', room)),
	];
}

const heldLines = (held: Held, {now, width}: DetailLayout): readonly Line[] =>
	paragraph(releaseText(held, now), width, 'held');

const ofEffect = (reasons: readonly Reason[], effect: Reason['effect']) =>
	reasons.filter((reason) => reason.effect === effect);

function section(title: string, reasons: readonly Reason[], room: DetailLayout): readonly Line[] {
	if (reasons.length === 0) return [];
	return [blank, textLine(title, 'heading'), ...reasons.flatMap((reason) => reasonLines(reason, room))];
}

function reasonLines(reason: Reason, room: DetailLayout): readonly Line[] {
	const since = reason.at === null ? '' : `, ${whenText(reason.at, room)}`;
	return [
		...bullet(`${reason.reason}${since}: ${sentence(reason.what)}`, undefined, room),
		...bodyLines(reason, room.width - 4).map((one) => line(span('    '), ...one.spans)),
	];
}

const bullet = (text: string, tone: Tone | undefined, {width, glyphs}: DetailLayout): readonly Line[] =>
	hanging(span(` ${glyphs.stays} `, 'key'), text, width - 1, tone);

/** The steps in order, each with its time, with a bar at the present. */
function stepLines(steps: readonly Step[], room: DetailLayout): readonly Line[] {
	const {now, glyphs} = room;
	const lines: Line[] = [];
	let isPast = true;
	for (const step of steps) {
		const at = beginOf(step.at);
		if (isPast && at !== undefined && at > now) {
			isPast = false;
			lines.push(nowLine(room));
		}
		const isAhead = at === undefined ? !isPast : at > now;
		const times = timeTexts(step.at, room);
		const body = [
			...wrapText(sentence(step.what), room.width - timeWidth - 4).map((text) =>
				textLine(text, isAhead ? 'likely' : undefined),
			),
			...bodyLines(step, room.width - timeWidth - 4),
		];
		body.forEach((one, index) => {
			const sign = index === 0 ? (isAhead ? glyphs.certainty.possible : glyphs.step) : glyphs.track;
			lines.push(
				line(
					span(` ${(times[index] ?? '').padStart(timeWidth - 2)} `, index === 0 ? 'strong' : 'dim'),
					span(`${sign} `, index === 0 ? (isAhead ? 'likely' : 'certain') : 'dim'),
					...one.spans,
				),
			);
		});
	}
	return lines;
}

const nowLine = ({now, timeZone, width, glyphs}: DetailLayout): Line =>
	textLine(
		` ${`now ${timeOfDay(now, timeZone)}`.padStart(timeWidth - 2)} ${glyphs.rule.repeat(Math.max(0, Math.min(width, 100) - timeWidth - 1))}`,
		'mark',
	);

function bodyLines({rule, evidence}: Step, width: number): readonly Line[] {
	return [
		...(rule === null ? [] : wrapText(`rule: ${rule}`, width).map((text) => textLine(text, 'dim'))),
		...evidence.flatMap((fact) => wrapText(factText(fact), width).map((text) => textLine(text, 'dim'))),
	];
}

const factText = ({object, field, value, note}: Fact): string =>
	`${object} ${field}: ${value}${note === '' ? '' : ` (${note})`}`;

const beginOf = (at: When): Instant | undefined =>
	at === null ? undefined : typeof at === 'number' ? at : at.earliest;

/** The time of something: an instant, or both ends of a range. */
function timesOf(at: When, {now, timeZone}: DetailLayout): readonly string[] {
	if (at === null) return [];
	if (typeof at === 'number') return [timeBeside(at, now, timeZone)];
	if (at.about !== null) return [`~${timeBeside(at.about, now, timeZone)}`];
	const from = timeBeside(at.earliest, now, timeZone);
	if (at.by !== null) return [from, `~${timeBeside(at.by, now, timeZone)}`];
	const {earliest, latest} = at;
	const to = latest === null ? 'open' : timeBeside(roundedEnd({earliest, latest}, now), now, timeZone);
	return from === to ? [from] : [from, to];
}

const whenText = (at: When, room: DetailLayout): string => timesOf(at, room).join('–');

/** The time of day, and below it the distance from now. A range with offsets or dates takes two lines. */
function timeTexts(at: When, room: DetailLayout): readonly string[] {
	const begin = beginOf(at);
	if (begin === undefined) return [];
	const {now} = room;
	const whole = whenText(at, room);
	const [from = '', to] = timesOf(at, room);
	const times = whole.length < timeWidth - 1 || to === undefined ? [whole] : [`${from}–`, to];
	return [...times, begin > now ? `in ${clockSpan(begin - now)}` : `${age(begin, now)} ago`];
}
