import {type Connection, pasted} from '../../text/pasted.ts';
import {wrap} from '../wrap.ts';

/** A remedy and its commands. */
export type RescueWay = {
	readonly what: string;
	readonly commands: readonly string[];
	/** Deadline and commands for each pod or node, if they differ. */
	readonly parts?: readonly RescueWay[];
	/** Whether the pod is only evicted later. */
	readonly isDelay?: boolean;
};

/** A remedy as a list item, with its commands below it. */
export function wayText({what, commands, parts = []}: RescueWay, connection: Connection): string {
	const lines = (some: readonly string[], indent: string) =>
		some.map((command) => `${indent}${pasted(command, connection)}\n`).join('');
	const ofParts = parts.map(
		(part) => `${wrap(`${part.what}:`, '      ', '  ')}${lines(part.commands, '        ')}`,
	);
	return `${wrap(`* ${what}`, '  ', '  ')}${lines(commands, '      ')}${ofParts.join('')}`;
}
