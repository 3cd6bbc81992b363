import packageJson from '../package.json' with {type: 'json'};
import type {Terminal} from './terminal.ts';

/** The version of evictwatch, as kubectl writes its own. */
export const programVersion = `v${packageJson.version}`;

/** The command `version`. */
export async function printVersion(terminal: Terminal): Promise<number> {
	await terminal.print(`Client Version: ${programVersion}\n`);
	return 0;
}
