import packageJson from '../../package.json' with {type: 'json'};
import type {VersionJson} from '../../src/print/contract/version.ts';
import type {Options} from '../args/options.ts';
import {documentPrinter, isDocumentFormat} from './documentPrinter.ts';
import type {Terminal} from './terminal.ts';

/** The version of evictwatch, as kubectl writes its own. */
export const programVersion = `v${packageJson.version}`;

/**
 * The command `version`, in the form of kubectl's. What is known of the client is printed also where the server does
 * not answer.
 *
 * @throws whatever asking the server for its version does
 */
export async function printVersion(options: Options, terminal: Terminal): Promise<number> {
	const asked = options.flags.client ? undefined : await ask(options);
	const serverVersion = asked?.status === 'fulfilled' ? {serverVersion: {gitVersion: asked.value}} : {};
	const versions: VersionJson = {clientVersion: clientVersion(), ...serverVersion};
	const {output} = options;
	if (isDocumentFormat(output)) {
		const print = await documentPrinter(output, options);
		await terminal.printDocument(await print(versions, []));
	} else {
		await terminal.print(textOf(versions));
	}
	if (asked?.status === 'rejected') throw asked.reason;
	return 0;
}

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
		// The build puts it there.
		gitCommit: process.env['EVICTWATCH_COMMIT'] ?? '',
		nodeVersion: `v${process.versions.node}`,
		platform: `${goNames[process.platform] ?? process.platform}/${goNames[process.arch] ?? process.arch}`,
	};
}

/** What Go, and with it kubectl, calls platforms that Node.js calls otherwise. */
const goNames: Readonly<Record<string, string>> = {win32: 'windows', x64: 'amd64', ia32: '386'};

async function ask({flags}: Options): Promise<PromiseSettledResult<string>> {
	const {connect} = await import('../../src/cluster/cluster.ts');
	const [asked] = await Promise.allSettled([
		connect(flags).then((cluster) => cluster.version().finally(() => cluster.close())),
	]);
	return asked;
}
