import {execFileSync} from 'node:child_process';
import {
	chmodSync,
	chownSync,
	existsSync,
	mkdirSync,
	readdirSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {TemporaryFolder} from '../../support/testEnvironment.ts';

const source = join(import.meta.dirname, '../../../cmd/compileCache.ts');

/** The folder in which a process saves its compiled code, out of several candidates. */
function chosenOf(folders: readonly string[], env: Readonly<Record<string, string>> = {}): string {
	const program = `
		import {getCompileCacheDir} from 'node:module';
		import {keepCompiledCode} from ${JSON.stringify(source)};
		process.umask(0o002);
		keepCompiledCode(${JSON.stringify(folders)});
		console.log(getCompileCacheDir() ?? '');`;
	const {NODE_COMPILE_CACHE: _, ...own} = process.env;
	const options = {encoding: 'utf8', env: {...own, ...env}} as const;
	return execFileSync(process.execPath, ['--input-type=module', '-e', program], options).trim();
}

const modeOf = (file: string) => statSync(file).mode & 0o777;

test('compiled code is kept in folders that are made for their owner alone, whatever the umask', () => {
	using home = new TemporaryFolder();
	const folder = join(home.path, 'cache/evictwatch');
	const chosen = chosenOf([folder]);
	expect(chosen.startsWith(`${folder}/`)).toBe(true);
	expect([join(home.path, 'cache'), folder, chosen].map(modeOf)).toEqual([0o700, 0o700, 0o700]);
	writeFileSync(join(chosen, 'kept'), '', {mode: 0o600});
	expect(chosenOf([folder])).toBe(chosen);
});

test.for([
	{what: 'a folder that a group may write to', spoil: (folder: string) => chmodSync(folder, 0o770)},
	{what: 'a folder that all may write to', spoil: (folder: string) => chmodSync(folder, 0o1777)},
	{
		what: 'a folder below one that all may write to',
		spoil: (folder: string) => chmodSync(join(folder, '..'), 0o777),
	},
	{
		what: 'a file in it that others may write to',
		spoil: (folder: string) => {
			const file = join(folder, 'version/planted');
			mkdirSync(join(folder, 'version'), {mode: 0o700});
			writeFileSync(file, 'bytecode');
			chmodSync(file, 0o666);
		},
	},
	{what: 'a link in it', spoil: (folder: string) => symlinkSync('/elsewhere', join(folder, 'version'))},
	{
		what: 'a folder of another user',
		spoil: (folder: string) => chownSync(folder, 12345, 12345),
		isForRoot: true,
	},
	{
		what: 'a file of another user',
		spoil: (folder: string) => {
			writeFileSync(join(folder, 'planted'), 'bytecode', {mode: 0o644});
			chownSync(join(folder, 'planted'), 12345, 12345);
		},
		isForRoot: true,
	},
])(
	'$what: compiled code is neither taken from there nor kept there',
	({spoil, isForRoot = false}, {skip}) => {
		// Only root can change a file's owner.
		skip(isForRoot && process.getuid?.() !== 0);
		using home = new TemporaryFolder();
		const [first, second] = [join(home.path, 'one/first'), join(home.path, 'second')];
		mkdirSync(first, {recursive: true, mode: 0o700});
		spoil(first);
		const before = readdirSync(first, {recursive: true});
		expect(chosenOf([first])).toBe('');
		expect(chosenOf([first, second]).startsWith(`${second}/`)).toBe(true);
		expect(readdirSync(first, {recursive: true})).toEqual(before);
	},
);

test('nothing is made where compiled code is not to be kept', () => {
	using home = new TemporaryFolder();
	const folder = join(home.path, 'cache');
	expect(chosenOf([folder], {NODE_DISABLE_COMPILE_CACHE: '1'})).toBe('');
	expect(existsSync(folder)).toBe(false);
});
