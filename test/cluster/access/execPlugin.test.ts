import {expect, test} from 'vitest';
import {pluginCommand} from '../../../src/cluster/access/execPlugin.ts';

/** A Windows environment with these files. */
const windows = (...files: readonly string[]) => ({
	platform: 'win32' as const,
	env: {Path: 'C:\\bin;C:\\Program Files\\sdk', ComSpec: 'C:\\Windows\\cmd.exe'},
	fileExists: (path: string) => files.includes(path),
});

test('elsewhere a command is taken as it is', () => {
	const around = {platform: 'linux' as const, env: {PATH: '/bin'}, fileExists: () => true};
	expect(pluginCommand('gke.cmd', ['a b'], around)).toEqual({
		file: 'gke.cmd',
		args: ['a b'],
		isVerbatim: false,
	});
});

test('a program is found by its name and started without a shell', () => {
	expect(pluginCommand('aws', ['eks', 'a b'], windows('C:\\bin\\aws.exe', 'C:\\bin\\aws.cmd'))).toEqual({
		file: 'C:\\bin\\aws.exe',
		args: ['eks', 'a b'],
		isVerbatim: false,
	});
});

test('a script is given to the shell, its spaces and its folder too', () => {
	const found = pluginCommand('gke', ['--for', 'a b'], windows('C:\\Program Files\\sdk\\gke.cmd'));
	expect(found).toEqual({
		file: 'C:\\Windows\\cmd.exe',
		args: ['/d', '/s', '/c', '"C:\\Program^ Files\\sdk\\gke.cmd ^"--for^" ^"a^ b^""'],
		isVerbatim: true,
	});
});

test.for([
	{arg: 'a&calc', want: '^"a^&calc^"'},
	{arg: '%PATH%', want: '^"^%PATH^%^"'},
	{arg: 'say "hi"', want: '^"say^ \\^"hi\\^"^"'},
	{arg: 'C:\\x\\', want: '^"C:\\x\\\\^"'},
	{arg: '', want: '^"^"'},
])('the shell takes $arg for one argument', ({arg, want}) => {
	const {args} = pluginCommand('C:\\p.bat', [arg], windows('C:\\p.bat'));
	expect(args.at(-1)).toBe(`"C:\\p.bat ${want}"`);
});

test('the folder that one happens to be in is not looked into', () => {
	expect(pluginCommand('login', [], windows('login.exe')).file).toBe('login');
});

test('a path without an ending is found with one', () => {
	expect(pluginCommand('C:\\x\\login', [], windows('C:\\x\\login.bat')).isVerbatim).toBe(true);
});
