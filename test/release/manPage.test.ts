import {spawnSync} from 'node:child_process';
import {expect, test} from 'vitest';
import {commandNames} from '../../cmd/args/commandSet.ts';
import {commands} from '../../cmd/commands/commandTable.ts';
import {manPage} from '../../scripts/release/manPage.ts';

const page = manPage('0.1.0', new Date('2026-01-31T00:00:00Z'));
const groff = spawnSync('groff', ['-man', '-Tutf8', '-ww', '-rLL=100n'], {input: page, encoding: 'utf8'});
// The visible text, without control sequences for bold.
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they are made of
const shown = groff.stdout?.replaceAll(/\x1b\[[\d;]*m|.\x08/g, '') ?? '';

test('the manual page has every command and every flag', () => {
	const plain = page.replaceAll('\\-', '-');
	for (const name of commandNames) expect(plain).toContain(`\n.SS ${name}\n`);
	for (const flag of Object.keys(commands.flags)) expect(plain).toContain(`--${flag}=`);
});

test('no line of text is taken for a macro', () => {
	const macros = new Set(['.TH', '.SH', '.SS', '.PP', '.TP', '.br']);
	const begun = page.split('\n').filter((line) => /^[.']/.test(line));
	expect(begun.filter((line) => !macros.has(line.split(' ')[0] ?? ''))).toEqual([]);
});

// groff prints its warnings on stderr.
test.runIf(groff.error === undefined)('groff shows it without a complaint', () => {
	expect({status: groff.status, stderr: groff.stderr}).toEqual({status: 0, stderr: ''});
	expect(shown).toContain('kubectl evictwatch explain');
	expect(shown).toContain("--namespace=''");
});
