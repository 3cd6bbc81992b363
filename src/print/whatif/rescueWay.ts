import {type Connection, pasted} from '../../text/pasted.ts';
import {wrap} from '../wrap.ts';

/** Something that helps, and what to type for it. */
export type RescueWay = {
	readonly what: string;
	readonly commands: readonly string[];
	/** For each pod or node, where that differs: until when, and its commands. */
	readonly parts?: readonly RescueWay[];
	/** Whether the pod goes all the same, only later. */
	readonly isDelay?: boolean;
};

/** A way as a list item, with its commands below it. */
export function wayText({what, commands, parts = []}: RescueWay, connection: Connection): string {
	const lines = (some: readonly string[], indent: string) =>
		some.map((command) => `${indent}${pasted(command, connection)}\n`).join('');
	const ofParts = parts.map(
		(part) => `${wrap(`${part.what}:`, '      ', '  ')}${lines(part.commands, '        ')}`,
	);
	return `${wrap(`* ${what}`, '  ', '  ')}${lines(commands, '      ')}${ofParts.join('')}`;
}
