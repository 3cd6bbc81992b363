import {readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
	keeperOf,
	learnedFile,
	loadLearned,
	type StateEnvironment,
	saveLearned,
} from '../../../cmd/sources/learnedStore.ts';
import type {LearnedSettings} from '../../../src/forecast/settings/learned/learnedSetting.ts';
import {TemporaryFolder} from '../../support/testEnvironment.ts';

const uid = '7d0b8a4e-0c8e-4f7c-9a53-2f6f6f6f6f6f';
const learned: LearnedSettings = {
	nodeMonitorGracePeriod: {range: [38_000, 42_000], observations: ['node n1']},
	kubeApiQps: {range: [20, null], observations: []},
};

const at = (homeDirectory: string, fields: Partial<StateEnvironment> = {}): StateEnvironment => ({
	env: {},
	platform: 'linux',
	homeDirectory,
	...fields,
});

test.for<{name: string; environment: StateEnvironment; want: string}>([
	{name: 'the home directory', environment: at('/home/u'), want: '/home/u/.local/state/evictwatch/a-1.json'},
	{
		name: 'XDG_STATE_HOME',
		environment: at('/home/u', {env: {XDG_STATE_HOME: '/state'}}),
		want: '/state/evictwatch/a-1.json',
	},
	{
		name: 'the home directory, where XDG_STATE_HOME is relative',
		environment: at('/home/u', {env: {XDG_STATE_HOME: 'state'}}),
		want: '/home/u/.local/state/evictwatch/a-1.json',
	},
	{
		name: 'LOCALAPPDATA on Windows',
		environment: at('/u', {platform: 'win32', env: {LOCALAPPDATA: '/data', XDG_STATE_HOME: '/state'}}),
		want: '/data/evictwatch/a-1.json',
	},
])('the file lies in $name', ({environment, want}) => {
	expect(learnedFile('a-1', environment)).toBe(want);
});

test.for(['', '../x', 'a/b', 'a.json', '-a', 'x'.repeat(65)])('"%s" is no UID to make a path of', (text) => {
	expect(learnedFile(text, at('/home/u'))).toBeUndefined();
});

test('what was learned is known again, to the same user alone', async () => {
	using folder = new TemporaryFolder();
	await saveLearned(uid, 'v1.36.3', learned, at(folder.path));
	expect(await loadLearned(uid, 'v1.36.9', at(folder.path))).toEqual(learned);
	const file = join(folder.path, '.local', 'state', 'evictwatch', `${uid}.json`);
	expect(statSync(file).mode & 0o777).toBe(0o600);
	expect(readdirSync(join(file, '..'))).toEqual([`${uid}.json`]);
	expect(readFileSync(file, 'utf8')).toContain('"release": "1.36"');
});

test('of another cluster or another release nothing is known', async () => {
	using folder = new TemporaryFolder();
	await saveLearned(uid, 'v1.31.3', learned, at(folder.path));
	expect(await loadLearned(uid, 'v1.32.0', at(folder.path))).toEqual({});
	expect(await loadLearned('other', 'v1.31.3', at(folder.path))).toEqual({});
	expect(await loadLearned(undefined, 'v1.31.3', at(folder.path))).toEqual({});
});

test.for([
	'no JSON',
	'[]',
	'null',
	'{"release":"1.36","learned":{"kubeApiQps":{"range":[5,1],"observations":[]}}}',
	'{"release":"1.36","learned":{"kubeApiQps":{"range":["5",6],"observations":[]},"x":{"range":[1,2],"observations":[]}}}',
	'{"release":"1.36","learned":{"kubeApiQps":{"range":[1,2],"observations":[7]}}}',
])('a file that holds something else (%s) is passed over', async (content) => {
	using folder = new TemporaryFolder();
	folder.write(join('.local', 'state', 'evictwatch', `${uid}.json`), content);
	expect(await loadLearned(uid, 'v1.36.3', at(folder.path))).toEqual({});
});

test('where nothing can be written, nothing is, and that is no error', async () => {
	using folder = new TemporaryFolder();
	const file = folder.write('file', '');
	await saveLearned(uid, 'v1.36.3', learned, at(file));
	await saveLearned(uid, 'v1.36.3', {}, at(folder.path));
	expect(readdirSync(folder.path)).toEqual(['file']);
});

test('what is learned is kept as it grows, at most each minute', async () => {
	using folder = new TemporaryFolder();
	let now = 0;
	const keep = keeperOf(uid, 'v1.36.3', () => now, at(folder.path));
	const load = () => loadLearned(uid, 'v1.36.3', at(folder.path));
	const [early, late] = [5, 7].map((lo) => ({kubeApiQps: {range: [lo, null] as const, observations: []}}));
	keep({});
	keep(early ?? {});
	await expect.poll(load).toEqual(early);
	now = 59_000;
	keep(late ?? {});
	expect(await load()).toEqual(early);
	now = 60_000;
	keep(late ?? {});
	await expect.poll(load).toEqual(late);
});
