import {unique} from '../../core/collections/unique.ts';
/** The command in a line; undefined if it has none. */
export const commandIn = (line: string) =>
	/^\s*(?:\(on [^)]*\) )?((?:kubectl|systemctl) .*)$/.exec(line)?.[1]?.trim();

/** Whether a command deletes something permanently, or has pods deleted by force. */
export const isDestructive = (command: string) =>
	/\bdelete (?:node|pod|volumeattachment)\b|out-of-service|--force\b/.test(command);

/** The commands in lines, non-destructive ones first. */
export function commandsIn(lines: readonly string[]): readonly string[] {
	const all = unique(lines.flatMap((line) => commandIn(line) ?? []));
	return [...all.filter((one) => !isDestructive(one)), ...all.filter(isDestructive)];
}
