import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {defaultTimeZone} from '../../../cmd/args/timeZone.ts';
import {parseCommandLine} from '../../../cmd/commands/commandTable.ts';
import {complete} from '../../../cmd/completion/complete.ts';
import {loadConfig} from '../../../cmd/dashboard/uiConfig.ts';
import {changeRequests} from '../../../cmd/questions/changes.ts';
import {recordingTerminal} from '../recordingTerminal.ts';

const parse = (line: string, preferred?: string) => parseCommandLine(line.split(' '), preferred);

test('--time-zone wins over the zone that is preferred', () => {
	expect(parse('pods').timeZone).toBe('UTC');
	expect(parse('pods', 'Asia/Kolkata').timeZone).toBe('Asia/Kolkata');
	expect(parse('pods --time-zone utc', 'Asia/Kolkata').timeZone).toBe('UTC');
	expect(parse('explain pod/web --time-zone=europe/berlin').timeZone).toBe('Europe/Berlin');
	expect(parse('--time-zone local').timeZone).toBe('UTC');
});

test('without a flag it is that of TZ on a terminal, else UTC', () => {
	expect(defaultTimeZone({}, true)).toBe('UTC');
	expect(defaultTimeZone({TZ: ''}, true)).toBe('UTC');
	const before = process.env['TZ'];
	try {
		process.env['TZ'] = 'Australia/Lord_Howe';
		expect(defaultTimeZone(process.env, true)).toBe('Australia/Lord_Howe');
		expect(defaultTimeZone(process.env, false)).toBe('UTC');
		expect(defaultTimeZone({}, true)).toBe('UTC');
	} finally {
		process.env['TZ'] = before;
	}
});

test.for([
	['Europe/Berlim', '; did you mean "Europe/Berlin"?'],
	['berlin', '; did you mean "Europe/Berlin"?'],
	['new york', '; did you mean "America/New_York"?'],
	['lokal', '; did you mean "local"?'],
	['utz', '; did you mean "UTC"?'],
	['+01:00', ''],
])('%s is no zone: what to write is said', ([text = '', suggestion]) => {
	expect(() => parseCommandLine(['pods', '--time-zone', text])).toThrow(
		expect.objectContaining({
			name: 'UserError',
			message: `invalid argument ${JSON.stringify(text)} for "--time-zone" flag: want local, utc, or Area/City as in Europe/Berlin${suggestion}`,
		}),
	);
});

test('times without an offset are read in the zone', () => {
	const meant = Date.parse('2026-01-31T14:07:00Z');
	expect(parse('pods -f x --at 2026-01-31T15:07 --time-zone Europe/Berlin').at).toBe(meant);
	expect(parse('pods -f x --at 2026-01-31T15:07', 'Europe/Berlin').at).toBe(meant);
	expect(parse('pods -f x --at 2026-01-31T14:07').at).toBe(meant);
	const {flags} = parse('what-if --node-down n1@2026-01-31T19:37');
	expect(changeRequests(flags, 'Asia/Kolkata')).toMatchObject([{time: {at: meant}}]);
});

test('names of zones are completed', async () => {
	const terminal = recordingTerminal();
	await complete(['pods', '--time-zone', 'Europe/Ber'], terminal, async () => []);
	expect(terminal.texts().out).toBe('Europe/Berlin\n:4\n');
	await complete(['pods', '--time-zone=Asia/Kol'], terminal, async () => []);
	expect(terminal.texts().out).toContain('Asia/Kolkata\n');
});

test('the configuration file may name the zone, as the flag does; one that cannot be understood is warned of', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'evictwatch-'));
	const environment = {env: {XDG_CONFIG_HOME: folder}, platform: 'linux', homeDirectory: folder} as const;
	const file = join(folder, 'evictwatch', 'config.yaml');
	const warnings: string[] = [];
	const warn = async (text: string) => void warnings.push(text);
	const load = async (text: string) => {
		await writeFile(file, text);
		return loadConfig(warn, environment);
	};
	const refused = async (text: string) => [await load(text), warnings.splice(0)];
	const why = `Warning: no configuration loaded from ${file}:`;
	try {
		expect(await loadConfig(warn, environment)).toBeUndefined();
		await mkdir(join(folder, 'evictwatch'));
		expect(await load('timeZone: asia/kolkata')).toMatchObject({timeZone: 'Asia/Kolkata', theme: undefined});
		expect(await load('theme: light')).toMatchObject({timeZone: undefined, theme: 'light'});
		expect(warnings).toEqual([]);
		expect(await refused('timeZone: Berlin')).toEqual([
			undefined,
			[
				`${why} timeZone: unknown time zone "Berlin": want local, utc, or Area/City as in Europe/Berlin; did you mean "Europe/Berlin"?\n`,
			],
		]);
		expect(await refused('timeZone: 2')).toEqual([
			undefined,
			[`${why} timeZone must be text, as in "timeZone: Europe/Berlin"\n`],
		]);
		await rm(file);
		await mkdir(file);
		expect(await loadConfig(warn, environment)).toBeUndefined();
		expect(warnings).toEqual([expect.stringContaining(`${why} `)]);
	} finally {
		await rm(folder, {recursive: true});
	}
});
