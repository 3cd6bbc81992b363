import {existsSync} from 'node:fs';
import {homedir} from 'node:os';
import {writeMessage} from '../../text/streams.ts';

/** What the process finds around it. Tests bring their own. */
export type Environment = {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly homeDirectory: string;
	/** What the path to a pod's service account is below; empty but for tests. */
	readonly rootDirectory: string;
	/** Whether a credential plugin may ask the user something. */
	readonly isInteractive: boolean;
	/** Where words for the user go. */
	readonly writeError: (text: string) => void;
	/** Shows what a credential plugin says, which nobody may keep. */
	readonly showForeign: (text: string) => void;
	/**
	 * Gives the terminal to a plugin that asks the user something, and takes it back. Whoever draws on it stops for so
	 * long; everything else goes on.
	 */
	readonly lendTerminal: <T>(use: () => Promise<T>) => Promise<T>;
	readonly platform: NodeJS.Platform;
	readonly fileExists: (path: string) => boolean;
};

export const systemEnvironment = (): Environment => ({
	env: process.env,
	homeDirectory: homedir(),
	rootDirectory: '',
	isInteractive: process.stdin.isTTY === true,
	writeError: (text) => void writeMessage(text),
	showForeign: (text) => void writeMessage(text),
	lendTerminal: (use) => use(),
	platform: process.platform,
	fileExists: existsSync,
});
