import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {parse} from 'yaml';
import packageJson from '../../package.json' with {type: 'json'};
import {krewManifest} from '../../scripts/release/krewManifest.ts';
import {archiveName, platforms} from '../../scripts/release/platforms.ts';

const root = join(import.meta.dirname, '../..');
const archives = platforms.map((platform) => archiveName(packageJson.version, platform));
const checksums = new Map(archives.map((name, i) => [name, `${i}`.padStart(64, 'a')]));
const made = krewManifest({version: packageJson.version, homepage: packageJson.homepage, checksums});

test.for([
	{name: 'made now', text: made},
	{name: 'in the repository', text: readFileSync(join(root, 'krew-manifest.yaml'), 'utf8')},
])('the manifest $name keeps the rules of krew', ({text}) => {
	const {apiVersion, kind, metadata, spec} = parse(text);
	expect({apiVersion, kind}).toEqual({
		apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
		kind: 'Plugin',
	});
	expect(metadata).toEqual({name: 'evictwatch'});
	expect(spec.version).toMatch(/^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[\w.-]+)?$/);
	expect(spec.homepage).toMatch(/^https:\/\//);
	expect(spec.shortDescription).toMatch(/^[^\n]{1,50}$/);
	expect(spec.shortDescription).not.toMatch(/plugin|kubernetes/i);
	for (const line of spec.description.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
	expect(spec.caveats).toMatch(/role/);
	for (const {uri, sha256, bin, selector} of spec.platforms) {
		const {os, arch = 'amd64'} = selector.matchLabels;
		expect(sha256).toMatch(/^[a-f0-9]{64}$/);
		expect(uri).toMatch(new RegExp(`^https://.*/${spec.version}/.*_${os}_${arch}\\.(zip|tar\\.gz)$`));
		expect(bin).toBe(os === 'windows' ? 'kubectl-evictwatch.exe' : 'kubectl-evictwatch');
	}
	const selected = spec.platforms.map((platform: {selector: object}) => JSON.stringify(platform.selector));
	expect(new Set(selected).size).toBe(5);
});

test('an archive without a checksum is no release', () => {
	const [first = ''] = archives;
	const others = new Map([...checksums].filter(([name]) => name !== first));
	expect(() => krewManifest({version: '0.1.0', homepage: 'https://example.org', checksums: others})).toThrow(
		first,
	);
});
