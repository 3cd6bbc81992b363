import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {parse} from 'yaml';
import packageJson from '../../package.json' with {type: 'json'};
import {krewManifest, krewTemplate} from '../../scripts/release/krewManifest.ts';
import {archiveName, platforms} from '../../scripts/release/platforms.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

type Step = {readonly uses?: string; readonly run?: string};
type Workflow = {
	readonly permissions: Readonly<Record<string, string>>;
	readonly jobs: Readonly<
		Record<string, {readonly steps: readonly Step[]; readonly 'timeout-minutes'?: number}>
	>;
};

/** What steps may run: the project's scripts, and the tools that publish. */
const mayRun = /^(?:npm (?:ci|test|run [\w:]+)|bash \.ci\/run|cosign |gh release |echo "digest=)/;

test.for(['checks', 'release'])('the workflow %s pins its actions, and has no logic of its own', (name) => {
	const text = read(`.github/workflows/${name}.yml`);
	const {permissions, jobs} = parse(text) as Workflow;
	expect(permissions).toEqual({contents: 'read'});
	const uses = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action);
	expect(uses.length).toBeGreaterThan(3);
	for (const action of uses) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
	for (const {steps, 'timeout-minutes': timeout} of Object.values(jobs)) {
		expect(timeout).toBeLessThanOrEqual(90);
		for (const {run} of steps) expect(run ?? 'npm ci').toMatch(mayRun);
	}
});

test('npm scripts that workflows run are in package.json', () => {
	const texts = ['checks', 'release'].map((name) => read(`.github/workflows/${name}.yml`)).join('\n');
	const scripts = [...texts.matchAll(/npm run ([\w:]+)/g)].map(([, script = '']) => script);
	expect(scripts).toEqual(['release', 'release:start']);
	expect(Object.keys(packageJson.scripts)).toEqual(expect.arrayContaining(scripts));
});

test('the template for krew is what the release makes, and becomes the manifest', () => {
	const {version, homepage} = packageJson;
	const template = read('.krew.yaml');
	expect(template).toBe(krewTemplate(homepage));
	const sum = 'a'.repeat(64);
	// As krew-release-bot does: the address with its tag, and the checksum of what is there.
	const filled = template
		.replaceAll(/\{\{addURIAndSha "(.*?)" \.TagName \| indent (\d+) \}\}/g, (_, uri, indent) =>
			[`uri: ${uri}`, `sha256: ${sum}`].join(`\n${' '.repeat(Number(indent))}`),
		)
		.replaceAll('{{ .TagName }}', `v${version}`);
	const checksums = new Map(platforms.map((platform) => [archiveName(version, platform), sum]));
	expect(parse(filled)).toEqual(parse(krewManifest({version, homepage, checksums})));
});

test('who tells of a wrong forecast is asked for a recording without names', () => {
	const {body} = parse(read('.github/ISSUE_TEMPLATE/wrong-forecast.yml')) as {
		readonly body: readonly {readonly id?: string; readonly attributes: {readonly value?: string}}[];
	};
	expect(body.map(({attributes: {value = ''}}) => value).join()).toContain('record --anonymise');
	expect(body.map(({id}) => id)).toContain('recording');
});

test('the versions of chart and program are those of the package', () => {
	const {version, appVersion} = parse(read('deploy/Chart.yaml')) as {version: string; appVersion: string};
	expect([version, appVersion]).toEqual([packageJson.version, packageJson.version]);
});
