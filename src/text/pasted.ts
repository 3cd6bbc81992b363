/** What commands that somebody pastes say again, so that they reach what was asked: `--context prod`; empty for the usual cluster. */
export type Connection = {
	/** For any command of kubectl. */
	readonly kubectl: string;
	/** For those of evictwatch, which read files as well. */
	readonly evictwatch: string;
};

/** The cluster that kubectl asks where nobody says which. */
export const usualConnection: Connection = {kubectl: '', evictwatch: ''};

/** A command for a shell, for what was asked. What is no command of kubectl, or needs no cluster, is left as it is. */
export function pasted(command: string, connection: Connection): string {
	if (!command.startsWith('kubectl ')) return command;
	const flags = connection[command.startsWith('kubectl evictwatch ') ? 'evictwatch' : 'kubectl'];
	if (flags === '') return command;
	const comment = command.search(/ +# /);
	return comment < 0
		? `${command} ${flags}`
		: `${command.slice(0, comment)} ${flags}${command.slice(comment)}`;
}

/** The same of the commands that a sentence names between backquotes. */
export const withPasted = (text: string, connection: Connection): string =>
	text.replaceAll(/`(kubectl [^`]+)`/g, (_, command: string) => `\`${pasted(command, connection)}\``);

/** Text as one word of a command that somebody pastes into a shell: nothing in it means anything to the shell. */
export const shellWord = (text: string): string =>
	/^[\w@%+=:,./][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
