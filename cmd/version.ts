import packageJson from '../package.json' with {type: 'json'};
import type {VersionJson} from '../src/print/contract/version.ts';
import {documentPrinter, isDocumentFormat} from './documentPrinter.ts';
import type {Options} from './options.ts';
import type {Terminal} from './terminal.ts';

/** The version of evictwatch, as kubectl writes its own. */
export const programVersion = `v${packageJson.version}`;

/** The command `version`, in the form of `kubectl version --client`. */
export async function printVersion(options: Options, terminal: Terminal): Promise<number> {
	const {node} = process.versions;
	const clientVersion: VersionJson['clientVersion'] = {
		gitVersion: programVersion,
		nodeVersion: `v${node}`,
		platform: `${process.platform}/${process.arch}`,
	};
	const {output} = options;
	if (isDocumentFormat(output)) {
		const print = await documentPrinter(output, options);
		await terminal.print(await print({clientVersion}, []));
	} else {
		await terminal.print(`Client Version: ${programVersion}\n`);
	}
	return 0;
}
