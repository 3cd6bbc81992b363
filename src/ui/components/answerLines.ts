import {textWidth} from '../../print/wrap.ts';
import {commandIn, isDestructive} from '../state/commands.ts';
import {type Line, line, paragraph, span, textLine} from '../theme/line.ts';
import {widthOf, wrapPhrases, wrapText} from '../theme/text.ts';

/** A paragraph of an answer; `hang` is the indent of its second line, if it had one. */
type Passage = {readonly text: string; readonly hang?: number};

/** The lines of an answer, wrapped instead of truncated. Destructive commands are highlighted. */
export function answerLines(answer: readonly string[], width: number, isYaml: boolean): readonly Line[] {
	if (isYaml) return answer.flatMap((text) => textLines({text}, width, true));
	const lines: Line[] = [];
	for (let at = 0; at < answer.length; ) {
		const table = tableAt(answer, at);
		if (table.length > 0) {
			const fits = table.every((row) => widthOf(row) < width);
			for (const row of fits ? table.map((text) => textLine(` ${text}`)) : recordLines(table, width))
				lines.push(row);
			at += table.length;
			continue;
		}
		const passage = passageAt(answer, at);
		for (const row of textLines(passage, width, false)) lines.push(row);
		at += passage.length;
	}
	return lines;
}

/** The paragraph that starts at this line. Answers are wrapped for a terminal of 80 columns, and here anew. */
function passageAt(answer: readonly string[], at: number): Passage & {readonly length: number} {
	let text = answer[at] ?? '';
	let length = 1;
	for (; isContinued(answer[at + length - 1] ?? '', answer[at + length] ?? ''); length += 1)
		text += ` ${(answer[at + length] ?? '').trim()}`;
	return {text, length, ...(length > 1 && {hang: indentOf(answer[at + 1] ?? '')})};
}

const indentOf = (text: string): number => text.length - text.trimStart().length;

/** Whether a line is full, and the next one is the rest of it. */
function isContinued(text: string, next: string): boolean {
	const [word = ''] = next.trimStart().split(' ');
	const isProse = (line: string) => line.trim() !== '' && commandIn(line) === undefined;
	return (
		isProse(text) &&
		isProse(next) &&
		word !== '*' &&
		!/^[A-Z][\w ]*: {2,}/.test(next) &&
		widthOf(text) + 1 + widthOf(word) > textWidth &&
		indentOf(next) >= indentOf(text)
	);
}

/** The table that starts at this line, up to the next empty line; empty if no header is there. */
function tableAt(answer: readonly string[], at: number): readonly string[] {
	if (!/^[A-Z]+(?: {1,}[A-Z]+)* {3,}[A-Z]/.test(answer[at] ?? '')) return [];
	const end = answer.indexOf('', at);
	return answer.slice(at, end < 0 ? answer.length : end);
}

/** The rows of a table that is wider than the screen: each name, with the columns' values below it. */
function recordLines([headers = '', ...rows]: readonly string[], width: number): readonly Line[] {
	const starts = [...headers.matchAll(/(?<=^| {3})[A-Z]/g)].map(({index}) => index);
	const cellsOf = (row: string) => {
		const letters = [...row];
		return starts.map((start, index) =>
			letters
				.slice(start, starts[index + 1])
				.join('')
				.trim(),
		);
	};
	const titles = cellsOf(headers);
	const named = titles[0] === 'NAMESPACE' ? 2 : 1;
	return rows.flatMap((row) => {
		const cells = cellsOf(row);
		const phrases = cells.slice(named).flatMap((cell, index) => {
			const text = `${titles[named + index]} ${cell}`;
			return cell === '-' || cell === '' ? [] : text;
		});
		return [
			...paragraph(cells.slice(0, named).join('/'), width, 'strong'),
			...wrapPhrases(phrases, width - 4).map((part) => textLine(`   ${part}`)),
		];
	});
}

function textLines({text, hang}: Passage, width: number, isYaml: boolean): readonly Line[] {
	const command = commandIn(text);
	if (command === undefined && !isYaml && widthOf(text) < width && !isRemedy(text))
		return [textLine(` ${text}`)];
	const own = indentOf(text) + 1;
	const isBad = command === undefined ? /\* DESTRUCTIVE\b/.test(text) : isDestructive(command);
	const mark = isBad && command !== undefined ? '! destructive: ' : '';
	const isCommand = command !== undefined && !isYaml;
	const rest = isCommand ? own : hang === undefined ? own + 2 : hang + 1;
	const [first = '', ...others] = wrapText(`${mark}${text.trim()}`, width - own - 1);
	// A word of a command that was broken must not be joined again.
	const below = rest === own || others.length === 0 ? others : wrapText(others.join(' '), width - rest - 1);
	const tone = isBad ? 'bad' : isCommand ? 'key' : undefined;
	return [first, ...below].map((part, index) =>
		line(span(' '.repeat(index > 0 ? rest : own)), span(part, tone)),
	);
}

const isRemedy = (text: string): boolean => /^\s*\* /.test(text);
