import {commandIn, isDestructive} from '../state/commands.ts';
import {type Line, line, span} from '../theme/line.ts';
import {wrapText} from '../theme/text.ts';

/** The lines of an answer, wrapped instead of truncated. Destructive commands are highlighted. */
export const answerLines = (answer: readonly string[], width: number, isYaml: boolean): readonly Line[] =>
	answer.flatMap((text) => textLines(text, width, isYaml));

/** The width that an answer's tables may have. */
export const answerWidth = (width: number) => width - 2;

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
