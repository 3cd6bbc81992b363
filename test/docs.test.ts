import {globSync, readdirSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {parse} from 'yaml';
import {newestKnownRelease} from '../src/core/model/versionProfile.ts';
import {type Difference, differences, oldestKnownRelease} from '../src/core/model/versionTable.ts';
import {formatSettingValue, type Unit} from '../src/forecast/settings/setting.ts';

const file = 'docs/settings.md';

const unitOf = ({key}: Difference, value: unknown): Unit =>
	/Period|Timeout|After/.test(key) && typeof value === 'number' ? 'duration' : 'number';

function rowOf(one: Difference): string {
	const {name, kind, settableSince = oldestKnownRelease, fixedSince, history, meaning} = one;
	const last = fixedSince === undefined ? newestKnownRelease : fixedSince - 1;
	const settable = kind === 'rule' ? '' : `, v1.${settableSince} to v1.${last}`;
	const values = history.map(
		({since, value, source}) => `v1.${since}: ${formatSettingValue(value, unitOf(one, value))} (${source})`,
	);
	return `| \`${name}\` | ${meaning} | ${kind}${settable} | ${values.join('; ')} |`;
}

test('the version table of the documentation is that of the program', () => {
	const [, text = ''] = readFileSync(file, 'utf8').split('## What differs between releases');
	for (const one of differences) expect(text).toContain(rowOf(one));
	expect(text.match(/^\| `/gm)).toHaveLength(differences.length);
});

const paths = ['src', 'cmd', 'test', 'docs', 'deploy', 'scripts'].flatMap((folder) =>
	readdirSync(folder, {recursive: true, encoding: 'utf8'}).map((path) => `/${folder}/${path}`),
);

test.for(['ARCHITECTURE.md', 'CONTRIBUTING.md', ...globSync('docs/*.md')])(
	'%s names files and folders that exist',
	(page) => {
		const named = [
			...readFileSync(page, 'utf8').matchAll(
				/`([\w./{},-]+\.tsx?|(?:src|cmd|test|core|forecast)\/[\w./{},-]+)`/g,
			),
		]
			.flatMap(([, name = '']) => alternativesOf(name))
			.filter((name) => !paths.some((path) => path.endsWith(`/${name}`)));
		expect(named).toEqual([]);
	},
);

test('ARCHITECTURE.md stays short', () => {
	expect(Buffer.byteLength(readFileSync('ARCHITECTURE.md'))).toBeLessThanOrEqual(12_288);
});

/** `a/{b,c}` stands for `a/b` and `a/c`. */
function alternativesOf(name: string): readonly string[] {
	const [, before = '', inside = '', after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(name) ?? [];
	return inside === '' ? [name] : inside.split(',').map((one) => `${before}${one}${after}`);
}

test('k9s writes no name of a cluster into a script', () => {
	const {plugins} = parse(readFileSync('docs/k9s-plugin.yaml', 'utf8')) as {
		readonly plugins: Readonly<Record<string, {readonly args: readonly string[]}>>;
	};
	const names = ['pod/$NAME', 'node/$NAME', '$NAMESPACE', '$CONTEXT'];
	for (const {args} of Object.values(plugins))
		expect(args.filter((text) => /\$[!\w{]/.test(text) && !names.includes(text))).toEqual([]);
});
