import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {checksums, verifiedChecksums} from '../../scripts/release/checksums.ts';
import {platforms} from '../../scripts/release/platforms.ts';
import {lockedPackage, verifyIntegrity} from '../../scripts/release/runtimeBinary.ts';
import {billOfMaterials} from '../../scripts/release/sbom.ts';
import {bundledPackages, thirdPartyLicenses} from '../../scripts/release/thirdParty.ts';
import runtime from '../../tools/runtime/package.json' with {type: 'json'};
import {TemporaryFolder} from '../support/testEnvironment.ts';

test('a file that is not what SHA256SUMS has makes no release', async () => {
	using folder = new TemporaryFolder();
	const files = ['a.tar.gz', 'b.zip'].map((name) => folder.write(name, `content of ${name}`));
	folder.write('SHA256SUMS', await checksums(files));
	expect([...(await verifiedChecksums(folder.path)).keys()]).toEqual(['a.tar.gz', 'b.zip']);
	folder.write('b.zip', 'other content');
	await expect(verifiedChecksums(folder.path)).rejects.toThrow('b.zip is not what SHA256SUMS has');
});

test.for(platforms)('the Node.js for $os/$arch is held against the lock file', async ({runtime}) => {
	const {integrity} = await lockedPackage(`node_modules/${runtime}`);
	expect(() => verifyIntegrity(runtime, Buffer.from('planted'), integrity)).toThrow(
		`${runtime} is not what package-lock.json has`,
	);
});

test('bytes that are those of the lock file are taken', () => {
	const ofNothing =
		'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==';
	expect(() => verifyIntegrity('nothing', new Uint8Array(), ofNothing)).not.toThrow();
});

type Component = {
	readonly name: string;
	readonly version: string;
	readonly purl: string;
	readonly scope: string;
	readonly hashes: readonly {readonly alg: string; readonly content: string}[];
};
type Bill = {
	readonly serialNumber: string;
	readonly metadata: {readonly component: Component & {readonly properties: unknown}};
	readonly components: readonly Component[];
};

test('each executable has a bill of materials of its own, with its own Node.js and checksums of all', async () => {
	const packages = await bundledPackages(['node_modules/undici/index.js', 'node_modules/yaml/index.js']);
	const texts = await Promise.all(
		platforms.map(async (platform, index) => {
			const made = {platform, sha256: `${index}`.padStart(64, 'a'), madeAt: new Date(0)};
			const bill = await billOfMaterials(packages, made);
			expect(await billOfMaterials(packages, made)).toBe(bill);
			return bill;
		}),
	);
	const bills = texts.map((text) => JSON.parse(text) as Bill);
	expect(new Set(bills.map(({serialNumber}) => serialNumber)).size).toBe(platforms.length);
	for (const [index, {metadata, components}] of bills.entries()) {
		const platform = platforms[index];
		if (!platform) throw new Error('more bills than platforms');
		expect(metadata.component.hashes).toEqual([{alg: 'SHA-256', content: `${index}`.padStart(64, 'a')}]);
		expect(JSON.stringify(metadata.component.properties)).toContain(`${platform.os}/${platform.arch}`);
		expect(components.map(({name}) => name)).toEqual(['undici', 'yaml', 'nodejs']);
		for (const {name, hashes, scope} of components) {
			expect([name, scope]).toEqual([name, 'required']);
			expect([name, hashes.map(({alg, content}) => `${alg} ${content.length}`)]).toEqual([
				name,
				['SHA-512 128'],
			]);
		}
		expect(components.at(-1)).toMatchObject({
			version: runtime.version,
			purl: `pkg:npm/${platform.runtime}@${runtime.version}`,
			cpe: `cpe:2.3:a:nodejs:node.js:${runtime.version}:*:*:*:*:*:*:*`,
		});
	}
});

test('an image stands on nothing that somebody may change: a base is named by its digest, and by no default', () => {
	const text = readFileSync('Containerfile', 'utf8');
	const bases = [...text.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
	expect(bases).toEqual([
		expect.stringMatching(/^docker\.io\/library\/debian@\$\{DEBIAN_DIGEST\}$/),
		'scratch',
	]);
	expect(text).toMatch(/^ARG DEBIAN_DIGEST$/m);
	expect(readFileSync('docs/shadow.md', 'utf8')).toContain('--build-arg DEBIAN_DIGEST=sha256:');
});

test('the licenses of what a package brings in its own bundle are told, too', async () => {
	const packages = await bundledPackages(['node_modules/meow/build/index.js']);
	const licenses = await thirdPartyLicenses(packages, {withRuntime: false});
	expect(licenses).toMatch(/^meow \d/);
	expect(licenses).toContain('Name: yargs-parser');
});
