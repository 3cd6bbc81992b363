import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {commands, parseCommandLine} from '../../cmd/commands/commandTable.ts';
import {podListing} from '../../cmd/lists/listings.ts';
import {referenceFolder, referencePages} from '../../scripts/reference.ts';
import {schemaFolder} from '../../scripts/schemas.ts';
import {printedFor} from './printed.ts';

test('the reference pages are those of the commands and flags', () => {
	const pages = referencePages();
	expect(readdirSync(referenceFolder).toSorted()).toEqual([...pages.keys()].toSorted());
	for (const [file, text] of pages) {
		expect(readFileSync(join(referenceFolder, file), 'utf8'), 'write them with: npm run docs').toBe(text);
	}
});

test.for(commands.names)(
	'every example of %s can be read, and every schema it names is published',
	(name) => {
		for (const [, command] of commands.of(name).examples) {
			expect(parseCommandLine(wordsOf(command)).command).toBe(name);
		}
		const {schemas = [], outputs} = commands.of(name);
		expect(schemas.length > 0).toBe(outputs.length > 0);
		for (const schema of schemas) expect(existsSync(join(schemaFolder, `${schema}.json`))).toBe(true);
	},
);

test('the help of pods says what each verdict means, and each word of THEN', () => {
	const {help} = parseCommandLine(['pods', '--help']);
	for (const word of [...(podListing.verdicts ?? []), ...outcomeWords]) {
		expect(help).toMatch(new RegExp(`^ {2}${word} {3,}[a-z]`, 'm'));
	}
});

test('the help of a command leaves the flags of the controllers to options, and says so', async () => {
	const {help} = parseCommandLine(['rescue', '--help']);
	expect(help).not.toContain('--node-eviction-rate');
	expect(help).toMatch(/\nUse "kubectl evictwatch options" for .*\nand of the flags of the controllers, /);
	expect(parseCommandLine(['version', '--help']).help).not.toContain('controllers');
	const {out} = await printedFor('options');
	expect(out).toContain('    --node-eviction-rate=0.1:\n');
});

const outcomeWords = [
	'Replaced',
	'Pending',
	'StuckTerminating',
	'Blocked',
	'Lost',
	'Restarted',
	'Stays',
	'Unknown',
];

test('every flag of a command stands in the table of all flags, and means the same there', () => {
	const all: Readonly<Record<string, unknown>> = commands.flags;
	for (const name of [undefined, ...commands.names]) {
		for (const [flag, spec] of Object.entries(commands.flagsOf(name))) expect(all[flag], flag).toBe(spec);
	}
});

test('no two flags have the same letter, no two commands the same word', () => {
	const letters = Object.values(commands.flags).flatMap((spec) =>
		'shortFlag' in spec ? [spec.shortFlag] : [],
	);
	expect(new Set(letters).size).toBe(letters.length);
	const words = commands.names.flatMap((name) => [name, ...commands.of(name).aliases]);
	expect(new Set(words).size).toBe(words.length);
});

/** The words of an example, split as in a shell. */
const wordsOf = (line: string): string[] =>
	[...line.matchAll(/'([^']*)'|"([^"]*)"|(?:[^\s'"]|'[^']*')+/g)].map(
		([word, one, two]) => one ?? two ?? word.replaceAll("'", ''),
	);
