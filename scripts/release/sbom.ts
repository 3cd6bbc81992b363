import {createHash} from 'node:crypto';
import {join} from 'node:path';
import {run} from './run.ts';
import type {BundledPackage} from './thirdParty.ts';

const root = join(import.meta.dirname, '../..');

type Component = {readonly name: string; readonly version: string};

/**
 * The bill of materials as CycloneDX JSON: what npm knows of the packages that are in the program, and Node.js. The
 * same sources give the same text.
 */
export async function billOfMaterials(packages: readonly BundledPackage[], made: Date): Promise<string> {
	const all = await run(
		'npm',
		['sbom', '--silent', '--sbom-format', 'cyclonedx', '--package-lock-only'],
		root,
	);
	const {serialNumber: _, metadata, components, dependencies: __, ...rest} = JSON.parse(all);
	const bundled = new Set(packages.map(({name, version}) => `${name}@${version}`));
	const own = components.filter(({name, version}: Component) => bundled.has(`${name}@${version}`));
	if (own.length < bundled.size)
		throw new Error('npm sbom does not name all packages that are in the program');
	const {timestamp: ___, component, tools} = metadata;
	const described = {
		...metadata,
		timestamp: made.toISOString(),
		tools,
		component: {...component, type: 'application', name: 'kubectl-evictwatch'},
	};
	const content = {...rest, metadata: described, components: [...own, nodeJs]};
	return `${JSON.stringify({...content, serialNumber: uuidOf(content)}, null, 2)}\n`;
}

const nodeJs = {
	'bom-ref': `nodejs@${process.versions.node}`,
	type: 'platform',
	name: 'nodejs',
	version: process.versions.node,
	purl: `pkg:generic/nodejs@${process.versions.node}`,
	licenses: [{license: {id: 'MIT'}}],
};

/** A serial number that the content decides, in the form of a UUID of version 8. */
function uuidOf(content: object): string {
	const hex = createHash('sha256').update(JSON.stringify(content)).digest('hex');
	const groups = [
		hex.slice(0, 8),
		hex.slice(8, 12),
		`8${hex.slice(13, 16)}`,
		`8${hex.slice(17, 20)}`,
		hex.slice(20, 32),
	];
	return `urn:uuid:${groups.join('-')}`;
}
