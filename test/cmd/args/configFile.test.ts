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
	return readArguments(withConfigFile(argv, file, commands.flags), commands.flags).flags;
}

test('a file holds flags by their names, each value as a command line would have it', () => {
	const text = `
listen: :8080
leader-elect: true
node-eviction-rate: 0.5
metrics-workloads: 20
notify:
  - https://a.example/hook
  - https://b.example/hook
`;
	expect(flagsBy(text)).toEqual([
		['listen', ':8080'],
		['leader-elect', 'true'],
		['node-eviction-rate', '0.5'],
		['metrics-workloads', '20'],
		['notify', 'https://a.example/hook'],
		['notify', 'https://b.example/hook'],
	]);
});

test('the command line wins, over lists and switches too', () => {
	const text = 'leader-elect: true\nnotify: [https://a.example]\nlisten: :1\n';
	expect(flagsBy(text, '--leader-elect=false', '--notify', 'https://c.example')).toEqual([
		['listen', ':1'],
		['leader-elect', 'false'],
		['notify', 'https://c.example'],
	]);
});

test('an empty file is no flags', () => {
	expect(flagsBy('# nothing\n')).toEqual([]);
});

test.for([
	{text: 'lisen: :1', want: /unknown flag|is no flag/},
	{text: 'leader-elect: perhaps', want: /want true or false/},
	{text: 'notify: {a: b}', want: /notify has no plain value/},
	{text: 'listen:', want: /listen has no plain value/},
	{text: '- a', want: /it holds no mapping/},
	{text: 'a: [', want: /shadow\.yaml/},
	{text: 'config: other.yaml', want: /cannot name another/},
	{text: '"listen=x --token": y', want: /unknown flag|is no flag/},
])('$text is said to be wrong', ({text, want}) => {
	expect(() => flagsBy(text)).toThrow(UserError);
	expect(() => flagsBy(text)).toThrow(want);
});

test('a file that is not there is said', () => {
	expect(() => withConfigFile([], join(folder, 'none.yaml'), commands.flags)).toThrow(/none\.yaml.*ENOENT/);
});
