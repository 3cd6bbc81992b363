import {commandIn, isDestructive} from '../state/commands.ts';
import {type Line, line, paragraph, span, textLine} from '../theme/line.ts';
import {widthOf, wrapText} from '../theme/text.ts';

/** The lines of an answer, wrapped instead of truncated. Destructive commands are highlighted. */
export function answerLines(answer: readonly string[], width: number, isYaml: boolean): readonly Line[] {
	const lines: Line[] = [];
	for (let at = 0; at < answer.length; at += 1) {
		const table = isYaml ? [] : tableAt(answer, at);
		if (table.every((row) => widthOf(row) < width)) {
			lines.push(...textLines(answer[at] ?? '', width, isYaml));
			continue;
		}
		lines.push(...recordLines(table, width));
		at += table.length - 1;
	}
	return lines;
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
			return cell === '-' || cell === '' ? [] : widthOf(text) < width - 6 ? unbroken(text) : text;
		});
		return [
			...paragraph(cells.slice(0, named).join('/'), width, 'strong'),
			...wrapText(phrases.join('   '), width - 4).map((part) =>
				textLine(`   ${part.replaceAll(noBreak, ' ').trimEnd()}`),
			),
		];
	});
}

const noBreak = '\u00a0';
const unbroken = (text: string): string => text.replaceAll(' ', noBreak);

function textLines(text: string, width: number, isYaml: boolean): readonly Line[] {
	const command = commandIn(text);
	const isRemedy = isYaml || /^\s*\* /.test(text);
	if (command === undefined && !isRemedy && widthOf(text) < width) return [textLine(` ${text}`)];
	const indent = ' '.repeat(text.length - text.trimStart().length + 1);
	const isBad = command === undefined ? /\* DESTRUCTIVE\b/.test(text) : isDestructive(command);
	const mark = isBad && command !== undefined ? '! destructive: ' : '';
	const isCommand = command !== undefined && !isYaml;
	return wrapText(`${mark}${text.trim()}`, width - indent.length - 3).map((part, index) =>
		line(
			span(index > 0 && !isCommand ? `${indent}  ` : indent),
			span(part, isBad ? 'bad' : isCommand ? 'key' : undefined),
		),
	);
}
