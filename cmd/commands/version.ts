import type {VersionJson} from '../../src/print/contract/version.ts';
import {outputFlags} from '../args/flagGroups/outputFlags.ts';
import type {FlagTable} from '../args/flagSpec.ts';
import type {Options} from '../args/options.ts';
import {structuredOutputs} from '../args/outputFormat.ts';
import {programVersion} from '../args/program.ts';
import type {Command} from './command.ts';

const own = {
	client: {type: 'boolean', help: 'Show the version of evictwatch only: no server is asked.'},
} as const satisfies FlagTable;

/** The versions of the program and the API server, in kubectl's form. The client's is printed even if no server answers. */
export const version = {
	aliases: [],
	summary: 'Show the versions of evictwatch and of the API server',
	usage: ['[--client]'],
	examples: [
		['Show both versions', 'version'],
		['Show what a bug report needs, without a cluster', 'version --client -o yaml'],
	],
	outputs: structuredOutputs,
	schemas: ['version'],
	flags: {...own, ...outputFlags},
	async run(options: Options<typeof own>, terminal) {
		const asked = options.flags.client ? undefined : await ask(options);
		const serverVersion = asked?.status === 'fulfilled' ? {serverVersion: {gitVersion: asked.value}} : {};
		const versions: VersionJson = {clientVersion: clientVersion(), ...serverVersion};
		const {output} = options;
		if (output === 'table') await terminal.print(textOf(versions));
		else {
			const {documentPrinter, isDocumentFormat} = await import('../output/documentPrinter.ts');
			if (!isDocumentFormat(output)) throw new Error(`version has no output ${output}`);
			const print = await documentPrinter(output, options);
			await terminal.printDocument(await print(versions, []));
		}
		if (asked?.status === 'rejected') throw asked.reason;
		return 0;
	},
} as const satisfies Command;

const textOf = ({clientVersion: client, serverVersion}: VersionJson): string =>
	[
		`Client Version: ${client.gitVersion}\n`,
		...(client.gitCommit === '' ? [] : [`Commit: ${client.gitCommit}\n`]),
		`Platform: ${client.platform}\n`,
		`Runtime: Node.js ${client.nodeVersion}\n`,
		...(serverVersion ? [`Server Version: ${serverVersion.gitVersion}\n`] : []),
	].join('');

function clientVersion(): VersionJson['clientVersion'] {
	return {
		gitVersion: programVersion,
		// Set by the build.
		gitCommit: process.env['EVICTWATCH_COMMIT'] ?? '',
		nodeVersion: `v${process.versions.node}`,
		platform: `${goNames[process.platform] ?? process.platform}/${goNames[process.arch] ?? process.arch}`,
	};
}

/** Go's names of platforms, where Node.js differs. */
const goNames: Readonly<Record<string, string>> = {win32: 'windows', x64: 'amd64', ia32: '386'};

async function ask({flags}: Options): Promise<PromiseSettledResult<string>> {
	const {connect} = await import('../../src/cluster/cluster.ts');
	const [asked] = await Promise.allSettled([
		connect(flags).then((cluster) => cluster.version().finally(() => cluster.close())),
	]);
	return asked;
}
