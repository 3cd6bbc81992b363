import {commandIn, isDestructive} from '../state/commands.ts';
import {type Line, line, paragraph, span, textLine} from '../theme/line.ts';
import {widthOf, wrapPhrases, wrapText} from '../theme/text.ts';

/** The lines of an answer, wrapped instead of truncated. Destructive commands are highlighted. */
export function answerLines(answer: readonly string[], width: number, isYaml: boolean): readonly Line[] {
	if (isYaml) return answer.flatMap((text) => textLines(text, width, true));
	const lines: Line[] = [];
	for (let at = 0; at < answer.length; at += 1) {
		const table = tableAt(answer, at);
		const fits = table.every((row) => widthOf(row) < width);
		if (table.length === 0) lines.push(...textLines(answer[at] ?? '', width, false));
		else lines.push(...(fits ? table.map((text) => textLine(` ${text}`)) : recordLines(table, width)));
		at += Math.max(0, table.length - 1);
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
			return cell === '-' || cell === '' ? [] : text;
		});
		return [
			...paragraph(cells.slice(0, named).join('/'), width, 'strong'),
			...wrapPhrases(phrases, width - 4).map((part) => textLine(`   ${part}`)),
		];
	});
}

/** A paragraph: its other lines stand below its text, after a sign or a label. */
function textLines(text: string, width: number, isYaml: boolean): readonly Line[] {
	const command = isYaml ? undefined : commandIn(text);
	const words = text.trimStart();
	const own = text.length - words.length + 1;
	const isBad = command === undefined ? words.startsWith('* DESTRUCTIVE') : isDestructive(command);
	const mark = isBad && command !== undefined ? '! destructive: ' : '';
	const [lead = isYaml || own > 1 ? '  ' : ''] = /^(?:\* |[A-Z][\w ]*: {2,})/.exec(words) ?? [];
	const rest = command === undefined ? own + lead.length : own;
	const [first = '', ...others] = wrapText(`${mark}${words.trimEnd()}`, width - own - 1);
	// A word of a command that was broken must not be joined again.
	const below = rest === own || others.length === 0 ? others : wrapText(others.join(' '), width - rest - 1);
	const tone = isBad ? 'bad' : command === undefined ? undefined : 'key';
	return [first, ...below].map((part, index) =>
		line(span(' '.repeat(index > 0 ? rest : own)), span(part, tone)),
	);
}
