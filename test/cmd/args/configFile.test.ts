import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {withConfigFile} from '../../../cmd/args/configFile.ts';
import {readArguments} from '../../../cmd/args/kubectlGrammar.ts';
import {commands} from '../../../cmd/commands/commandTable.ts';
import {UserError} from '../../../src/text/userError.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'evictwatch-config-'));
});
afterEach(() => rmSync(folder, {recursive: true, force: true}));

function flagsBy(text: string, ...argv: readonly string[]) {
	const file = join(folder, 'shadow.yaml');
	writeFileSync(file, text);
	const {flags} = readArguments(withConfigFile(['--config', file, ...argv], commands.flags), commands.flags);
	return flags.filter(([name]) => name !== 'config');
}

test('a file holds flags by their names, each value as a command line would have it', () => {
	const text = `
listen: :8080
controller-metrics-insecure-skip-tls-verify: true
node-eviction-rate: 0.5
metrics-workloads: 20
filename:
  - a.yaml
  - b.yaml
`;
	expect(flagsBy(text)).toEqual([
		['listen', ':8080'],
		['controller-metrics-insecure-skip-tls-verify', 'true'],
		['node-eviction-rate', '0.5'],
		['metrics-workloads', '20'],
		['filename', 'a.yaml'],
		['filename', 'b.yaml'],
	]);
});

test('the command line wins, over lists and switches too', () => {
	const text = 'all-namespaces: true\nfilename: [a.yaml]\nlisten: :1\n';
	expect(flagsBy(text, '--all-namespaces=false', '--filename', 'c.yaml')).toEqual([
		['listen', ':1'],
		['all-namespaces', 'false'],
		['filename', 'c.yaml'],
	]);
});

test('an empty file is no flags', () => {
	expect(flagsBy('# nothing\n')).toEqual([]);
});

test.for([
	{text: 'lisen: :1', want: /unknown flag|is no flag/},
	{text: 'all-namespaces: perhaps', want: /want true or false/},
	{text: 'filename: {a: b}', want: /filename has no plain value/},
	{text: 'notify: [https://a.example]', want: /--notify has been removed/},
	{text: 'listen:', want: /listen has no plain value/},
	{text: '- a', want: /it holds no mapping/},
	{text: 'a: [', want: /shadow\.yaml/},
	{text: 'config: other.yaml', want: /cannot name another/},
	{text: '"listen=x --token": y', want: /unknown flag|is no flag/},
])('$text is said to be wrong', ({text, want}) => {
	expect(() => flagsBy(text)).toThrow(UserError);
	expect(() => flagsBy(text)).toThrow(want);
});

test('a flag that was removed says what to do instead, in a file too', () => {
	expect(() => flagsBy('notify: [https://a.example]')).toThrow(
		expect.objectContaining({hint: expect.stringContaining('Alertmanager')}),
	);
});

test('a file that is not there is said', () => {
	expect(() => withConfigFile([`--config=${join(folder, 'none.yaml')}`], commands.flags)).toThrow(
		/none\.yaml.*ENOENT/,
	);
});
