import {existsSync} from 'node:fs';
import {homedir} from 'node:os';
import {writeMessage} from '../../text/streams.ts';

/** The environment of the process. Tests bring their own. */
export type Environment = Readonly<{
	env: Readonly<Record<string, string | undefined>>;
	homeDirectory: string;
	/** Prefix of the path of a pod's service account; empty except in tests. */
	rootDirectory: string;
	/** Whether a credential plugin may prompt the user. */
	isInteractive: boolean;
	writeError: (text: string) => void;
	/** Shows the output of a credential plugin, which must not be stored. */
	showForeign: (text: string) => void;
	/** Lends the terminal to a plugin that prompts the user. Screens stop drawing meanwhile; everything else goes on. */
	lendTerminal: <T>(use: () => Promise<T>) => Promise<T>;
	platform: NodeJS.Platform;
	fileExists: (path: string) => boolean;
}>;

/** The user's home folder; empty if neither HOME nor the system's list of users names one, as client-go has it. */
export function homeFolder(): string {
	try {
		return homedir();
	} catch {
		return '';
	}
}

export const systemEnvironment = (): Environment => ({
	env: process.env,
	homeDirectory: homeFolder(),
	rootDirectory: '',
	isInteractive: process.stdin.isTTY === true,
	writeError: (text) => void writeMessage(text),
	showForeign: (text) => void writeMessage(text),
	lendTerminal: (use) => use(),
	platform: process.platform,
	fileExists: existsSync,
});

/** The same, but nobody is prompted, and the output of plugins is dropped. */
export const silentEnvironment = (): Environment => ({
	...systemEnvironment(),
	isInteractive: false,
	writeError: () => undefined,
	showForeign: () => undefined,
});
