import {createHash} from 'node:crypto';
import packageJson from '../../package.json' with {type: 'json'};
import type {Platform} from './platforms.ts';
import {lockedPackage} from './runtimeBinary.ts';
import type {BundledPackage} from './thirdParty.ts';

/** The executable of one platform. */
type Made = {
	readonly platform: Platform;
	/** The executable's SHA-256, in hex. */
	readonly sha256: string;
	readonly madeAt: Date;
};

/** The bill of materials of one executable as CycloneDX JSON. The same sources give the same text. */
export async function billOfMaterials(packages: readonly BundledPackage[], made: Made): Promise<string> {
	const {name, version, description, license, homepage} = packageJson;
	const {os, arch, runtime} = made.platform;
	const node = await component({name: runtime, license: 'MIT', folder: `node_modules/${runtime}`});
	// Databases of vulnerabilities know Node.js by its CPE.
	const cpe = `cpe:2.3:a:nodejs:node.js:${node.version}:*:*:*:*:*:*:*`;
	const content = {
		$schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
		bomFormat: 'CycloneDX',
		specVersion: '1.5',
		version: 1,
		metadata: {
			timestamp: made.madeAt.toISOString(),
			component: {
				'bom-ref': `${name}@${version}`,
				type: 'application',
				name,
				version,
				description,
				purl: `pkg:npm/${name}@${version}`,
				licenses: licensesOf(license),
				hashes: [{alg: 'SHA-256', content: made.sha256}],
				properties: [{name: 'evictwatch:platform', value: `${os}/${arch}`}],
				externalReferences: [{type: 'website', url: homepage}],
			},
		},
		components: [
			...(await Promise.all(packages.map(component))),
			{...node, type: 'platform', name: 'nodejs', cpe},
		],
	};
	return `${JSON.stringify({...content, serialNumber: uuidOf(content)}, null, 2)}\n`;
}

/** A package in the program is required, though npm knows it as one for development. */
async function component({name, license, folder}: Omit<BundledPackage, 'version'>) {
	const {version, integrity} = await lockedPackage(folder);
	const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
	const sha512 = Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
	return {
		'bom-ref': purl,
		type: 'library',
		name,
		version,
		scope: 'required',
		purl,
		hashes: [{alg: 'SHA-512', content: sha512}],
		licenses: licensesOf(license),
	};
}

const licensesOf = (license: string) => [
	license.includes(' ') ? {expression: license} : {license: {id: license}},
];

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
