/** How commands that somebody pastes find the cluster that was asked: `--context prod`; empty for the usual one. */
export type Connection = string;

/** A command for a shell, for the same cluster. What is no command of kubectl, or needs no cluster, is left as it is. */
export function pasted(command: string, connection: Connection): string {
	if (connection === '' || !command.startsWith('kubectl ')) return command;
	const comment = command.search(/ +# /);
	return comment < 0
		? `${command} ${connection}`
		: `${command.slice(0, comment)} ${connection}${command.slice(comment)}`;
}
