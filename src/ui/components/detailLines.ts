import {inTimeZone, timeOfDay} from '../../dates/format.ts';
import type {Explanation, Step, WhyNot} from '../../forecast/explain/explanation.ts';
import {ago, sentence, type When} from '../../forecast/words.ts';
import {releaseText} from '../../print/countdown.ts';
import {factWords, inOrder, reasonsByEffect} from '../../print/explanation/explanation.ts';
import type {Tone} from '../../print/tables/kind.ts';
import {clockSpan, clockTimes} from '../scene/spans.ts';
import {blank, hanging, type Line, line, paragraph, span, textLine} from '../theme/line.ts';
import {wrapText} from '../theme/text.ts';
import type {DetailLayout} from '../views/table.ts';

const timeWidth = 19;

/** The reasoning of an explanation: summary, steps along a time line, what prevents it, assumptions. */
export function explanationLines(explanation: Explanation, room: DetailLayout): readonly Line[] {
	const {summary, held, steps, assumptions} = explanation;
	const {width} = room;
	return [
		...paragraph(told(summary, room), width, 'strong'),
		...(held ? paragraph(told(releaseText(held, room.now), room), width, 'held') : []),
		blank,
		textLine(' WHY', 'heading'),
		...stepLines(inOrder(steps), room),
		...reasonsByEffect(explanation).flatMap(([title, reasons]) =>
			section(
				` ${title.toUpperCase()}`,
				reasons.flatMap((reason) => reasonLines(reason, room)),
			),
		),
		...section(
			' ASSUMPTIONS',
			assumptions.flatMap((text) => bullet(sentence(text), 'dim', room)),
		),
	];
}

const told = (text: string, {now, timeZone}: DetailLayout) => inTimeZone(text, now, timeZone);

const section = (title: string, lines: readonly Line[]) =>
	lines.length === 0 ? [] : [blank, textLine(title, 'heading'), ...lines];

function reasonLines(reason: WhyNot, room: DetailLayout): readonly Line[] {
	const since = reason.at === null ? '' : `, ${clockTimes(reason.at, room.now, room.timeZone).join('–')}`;
	return [
		...bullet(`${reason.reason}${since}: ${sentence(reason.what)}`, undefined, room),
		...bodyLines(reason, room.width - 4, room).map((one) => line(span('    '), ...one.spans)),
	];
}

const bullet = (text: string, tone: Tone | undefined, room: DetailLayout) =>
	hanging(span(` ${room.glyphs.stays} `, 'key'), told(text, room), room.width - 1, tone);

/** The steps, each with its time, with a bar at the present. */
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
		const width = room.width - timeWidth - 4;
		const body = [
			...wrapText(told(sentence(step.what), room), width).map((text) =>
				textLine(text, isAhead ? 'likely' : undefined),
			),
			...bodyLines(step, width, room),
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

const nowLine = ({now, timeZone, width, glyphs}: DetailLayout) =>
	textLine(
		` ${`now ${timeOfDay(now, timeZone)}`.padStart(timeWidth - 2)} ${glyphs.rule.repeat(Math.max(0, Math.min(width, 100) - timeWidth - 1))}`,
		'mark',
	);

function bodyLines({rule, evidence}: Step, width: number, room: DetailLayout): readonly Line[] {
	const texts = [...(rule === null ? [] : [`rule: ${rule}`]), ...evidence.map(factWords)];
	return texts.flatMap((text) => wrapText(told(text, room), width)).map((text) => textLine(text, 'dim'));
}

const beginOf = (at: When) => (at === null ? undefined : typeof at === 'number' ? at : at.earliest);

/** The time of day, and below it the distance from now. A range with offsets or dates takes two lines. */
function timeTexts(at: When, room: DetailLayout): readonly string[] {
	const begin = beginOf(at);
	if (at === null || begin === undefined) return [];
	const {now, timeZone} = room;
	const [from = '', to] = clockTimes(at, now, timeZone);
	const whole = to === undefined ? from : `${from}–${to}`;
	const times = whole.length < timeWidth - 1 || to === undefined ? [whole] : [`${from}–`, to];
	return [...times, begin > now ? `in ${clockSpan(begin - now)}` : `${ago(begin, now)} ago`];
}
