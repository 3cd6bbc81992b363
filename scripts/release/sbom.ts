import {createHash} from 'node:crypto';
import {join} from 'node:path';
import type {Platform} from './platforms.ts';
import {run} from './run.ts';
import type {LockedRuntime} from './runtimeBinary.ts';
import type {BundledPackage} from './thirdParty.ts';

const root = join(import.meta.dirname, '../..');

type Component = {readonly name: string; readonly version: string};

/** npm's data about the bundled packages, as CycloneDX. */
type KnownPackages = {
	readonly metadata: {readonly component: object; readonly tools: unknown};
	readonly components: readonly Component[];
	readonly head: object;
};

/** @throws Error if npm does not list all of them */
export async function knownPackages(packages: readonly BundledPackage[]): Promise<KnownPackages> {
	const all = await run(
		'npm',
		['sbom', '--silent', '--sbom-format', 'cyclonedx', '--package-lock-only'],
		root,
	);
	const {serialNumber: _, metadata, components, dependencies: __, ...head} = JSON.parse(all);
	const bundled = new Set(packages.map(({name, version}) => `${name}@${version}`));
	const own = components.filter(({name, version}: Component) => bundled.has(`${name}@${version}`));
	if (own.length < bundled.size)
		throw new Error('npm sbom does not name all packages that are in the program');
	return {metadata, components: own, head};
}

/** The executable of one platform. */
type Made = {
	readonly platform: Platform;
	readonly runtime: LockedRuntime;
	/** The executable's SHA-256, in hex. */
	readonly sha256: string;
	readonly madeAt: Date;
};

/** The bill of materials of one executable as CycloneDX JSON. The same sources give the same text. */
export function billOfMaterials({metadata, components, head}: KnownPackages, made: Made): string {
	const described = {
		timestamp: made.madeAt.toISOString(),
		tools: metadata.tools,
		component: {
			...metadata.component,
			type: 'application',
			name: 'kubectl-evictwatch',
			hashes: [{alg: 'SHA-256', content: made.sha256}],
			properties: [{name: 'evictwatch:platform', value: `${made.platform.os}/${made.platform.arch}`}],
		},
	};
	const content = {...head, metadata: described, components: [...components, nodeJs(made)]};
	return `${JSON.stringify({...content, serialNumber: uuidOf(content)}, null, 2)}\n`;
}

/** A platform's Node.js: versions may differ between platforms. */
function nodeJs({platform, runtime: {version, integrity}}: Made): object {
	const purl = `pkg:npm/${platform.runtime}@${version}`;
	const sha512 = Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
	return {
		'bom-ref': purl,
		type: 'platform',
		name: 'nodejs',
		version,
		purl,
		hashes: [{alg: 'SHA-512', content: sha512}],
		licenses: [{license: {id: 'MIT'}}],
	};
}

/** A serial number derived from the content, as a UUID of version 8. */
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
