import packageJson from '../package.json' with {type: 'json'};
import {formatStructured} from '../src/print/structured.ts';
import type {Options} from './options.ts';
import type {Terminal} from './terminal.ts';

/** The version of evictwatch, as kubectl writes its own. */
export const programVersion = `v${packageJson.version}`;

/** The command `version`, in the form of `kubectl version --client`. */
export async function printVersion({output}: Options, terminal: Terminal): Promise<number> {
	const {node} = process.versions;
	const clientVersion = {
		gitVersion: programVersion,
		nodeVersion: `v${node}`,
		platform: `${process.platform}/${process.arch}`,
	};
	await terminal.print(
		output === 'json' || output === 'yaml'
			? await formatStructured({clientVersion}, output)
			: `Client Version: ${programVersion}\n`,
	);
	return 0;
}
