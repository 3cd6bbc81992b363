import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {withConfigFile} from '../../../cmd/args/configFile.ts';
import {readArguments} from '../../../cmd/args/kubectlGrammar.ts';
import {UserError} from '../../../src/text/userError.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'evictwatch-config-'));
});
afterEach(() => rmSync(folder, {recursive: true, force: true}));

async function flagsBy(text: string, ...argv: readonly string[]) {
	const file = join(folder, 'shadow.yaml');
	writeFileSync(file, text);
	const {flags} = readArguments(await withConfigFile(['--config', file, ...argv]));
	return flags.filter(([name]) => name !== 'config');
}

test('a file holds flags by their names, each value as a command line would have it', async () => {
	const text = `
listen: :8080
controller-metrics-insecure-skip-tls-verify: true
node-eviction-rate: 0.5
metrics-workloads: 20
filename:
  - a.yaml
  - b.yaml
`;
	expect(await flagsBy(text)).toEqual([
		['listen', ':8080'],
		['controller-metrics-insecure-skip-tls-verify', 'true'],
		['node-eviction-rate', '0.5'],
		['metrics-workloads', '20'],
		['filename', 'a.yaml'],
		['filename', 'b.yaml'],
	]);
});

test('the command line wins, over lists and switches too', async () => {
	const text = 'all-namespaces: true\nfilename: [a.yaml]\nlisten: :1\n';
	expect(await flagsBy(text, '--all-namespaces=false', '--filename', 'c.yaml')).toEqual([
		['listen', ':1'],
		['all-namespaces', 'false'],
		['filename', 'c.yaml'],
	]);
});

test('an empty file is no flags', async () => {
	expect(await flagsBy('# nothing\n')).toEqual([]);
});

test.for([
	{text: 'lisen: :1', want: /unknown flag|is no flag/},
	{text: 'all-namespaces: perhaps', want: /want true or false/},
	{text: 'filename: {a: b}', want: /filename has no plain value/},
	{text: 'listen:', want: /listen has no plain value/},
	{text: '- a', want: /it holds no mapping/},
	{text: 'a: [', want: /shadow\.yaml/},
	{text: 'config: other.yaml', want: /cannot name another/},
	{text: '"listen=x --token": y', want: /unknown flag|is no flag/},
])('$text is said to be wrong', async ({text, want}) => {
	await expect(flagsBy(text)).rejects.toThrow(UserError);
	await expect(flagsBy(text)).rejects.toThrow(want);
});

test('a file that is not there, or has no end, is said', async () => {
	const from = (file: string) => withConfigFile([`--config=${file}`]);
	await expect(from(join(folder, 'none.yaml'))).rejects.toThrow(/none\.yaml.*ENOENT/);
	await expect(from('/dev/zero')).rejects.toThrow('/dev/zero: it has more than 10 MiB');
});
