/** Text as one word of a command that somebody pastes into a shell: nothing in it means anything to the shell. */
export const shellWord = (text: string): string =>
	/^[\w@%+=:,./][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
