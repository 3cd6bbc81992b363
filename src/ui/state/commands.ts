import {unique} from '../../core/collections/unique.ts';

/** The command in a line, with where to run it as a comment behind it; undefined if it has none. */
export function commandIn(line: string): string | undefined {
	const [, place, command] = /^\s*(?:\((on [^)]*)\) )?((?:kubectl|systemctl) .*)$/.exec(line) ?? [];
	return place === undefined ? command?.trim() : `${command?.trim()}   # ${place}`;
}

/** Whether a command deletes something permanently, or has pods deleted by force. */
export const isDestructive = (command: string) =>
	/\bdelete (?:node|pod|volumeattachment)\b|out-of-service|--force\b/.test(command);

/** The commands in lines, non-destructive ones first. */
export function commandsIn(lines: readonly string[]): readonly string[] {
	const all = unique(lines.flatMap((line) => commandIn(line) ?? []));
	return [...all.filter((one) => !isDestructive(one)), ...all.filter(isDestructive)];
}
