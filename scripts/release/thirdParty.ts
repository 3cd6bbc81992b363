import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {runtimeLicense} from './runtimeBinary.ts';

const root = join(import.meta.dirname, '../..');

/** A package whose code is in the program. */
export type BundledPackage = {
	readonly name: string;
	readonly version: string;
	readonly license: string;
	/** Relative to the project's folder. */
	readonly folder: string;
};

/** The packages of a build's files, sorted by name. @param inputs paths relative to the project's folder */
export async function bundledPackages(inputs: readonly string[]): Promise<readonly BundledPackage[]> {
	const inPackage = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
	const folders = new Set(inputs.flatMap((file) => inPackage.exec(file)?.[0] ?? []));
	return await Promise.all(
		[...folders].toSorted().map(async (folder) => {
			const {name, version, license} = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
			return {name, version, license, folder};
		}),
	);
}

/** The licenses of all code that is not ours. @param withRuntime whether to include Node.js */
export async function thirdPartyLicenses(
	packages: readonly BundledPackage[],
	{withRuntime}: {readonly withRuntime: boolean},
): Promise<string> {
	const own = await Promise.all(
		packages.map(async ({name, version, license, folder}) => {
			const file = (await readdir(join(root, folder))).find((file) => /^licen[cs]e(\.|-|$)/i.test(file));
			const text = file ? await readFile(join(root, folder, file), 'utf8') : `License: ${license}\n`;
			// Some packages are bundles themselves: meow lists the licenses of its bundled packages here.
			const inside = await readFile(join(root, folder, 'build/licenses.md'), 'utf8').catch(() => '');
			return section(`${name} ${version}`, `${text}\n${inside}`);
		}),
	);
	const runtime = withRuntime ? [section(`Node.js ${process.versions.node}`, await runtimeLicense())] : [];
	return [...own, ...runtime].join('\n');
}

const section = (title: string, text: string): string =>
	`${title}\n${'='.repeat(title.length)}\n\n${text.trim()}\n`;
