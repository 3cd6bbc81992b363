/** Connection flags that suggested commands repeat, as `--context prod`; empty for the default cluster. */
export type Connection = {
	/** For kubectl's own commands. */
	readonly kubectl: string;
	/** For evictwatch's commands, which also read files. */
	readonly evictwatch: string;
};

/** The cluster that kubectl uses without flags. */
export const usualConnection: Connection = {kubectl: '', evictwatch: ''};

/** Adds the connection flags to a kubectl command, before a trailing `# comment`; other commands stay as they are. */
export function pasted(command: string, connection: Connection): string {
	if (!command.startsWith('kubectl ')) return command;
	const flags = connection[command.startsWith('kubectl evictwatch ') ? 'evictwatch' : 'kubectl'];
	if (flags === '') return command;
	const comment = command.search(/ +# /);
	return comment < 0
		? `${command} ${flags}`
		: `${command.slice(0, comment)} ${flags}${command.slice(comment)}`;
}

/** The same for the commands between backquotes in a sentence. */
export const withPasted = (text: string, connection: Connection): string =>
	text.replaceAll(/`(kubectl [^`]+)`/g, (_, command: string) => `\`${pasted(command, connection)}\``);

export const shellWord = (text: string): string =>
	/^[\w@%+=:,./][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
