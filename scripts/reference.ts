import {join} from 'node:path';
import type {CommandName} from '../cmd/args/commandSet.ts';
import {connectionFlags} from '../cmd/args/flagGroups/connectionFlags.ts';
import {controllerFlags} from '../cmd/args/flagGroups/controllerFlags.ts';
import type {FlagSpec, FlagTable} from '../cmd/args/flagSpec.ts';
import {presetOf} from '../cmd/args/helpText.ts';
import {commands} from '../cmd/commands/commandTable.ts';
import {writeFolder} from './writeFolder.ts';

/** The folder of the pages. */
export const referenceFolder = join(import.meta.dirname, '..', 'docs', 'reference');

const program = 'kubectl evictwatch';

/** A page for each command, one for the common options, and an index; the keys are file names. */
export function referencePages(): ReadonlyMap<string, string> {
	const pages = commands.names.map((name) => [`${name}.md`, page(name)] as const);
	return new Map([['README.md', index()], ...pages]);
}

const made = '<!-- Made by `npm run docs` from cmd/commands and cmd/args/flagGroups. -->';

const index = (): string =>
	joined([
		'# Commands',
		made,
		`Without a command, \`${program}\` is a dashboard on a terminal, and the table of pods elsewhere; it takes the flags of [pods](pods.md), and:`,
		flagTable(without(commands.shownFlagsOf(undefined), {...commands.shownFlagsOf('pods')})),
		['| Command | What it does |', '| --- | --- |', ...commands.names.map(indexRow)].join('\n'),
		'Flags may stand anywhere. `--flag=value`, `--flag value`, `-nshop`, `-n=shop` and `-Aw` are read as kubectl reads them, ' +
			'and all after `--` are arguments.',
	]);

const indexRow = (name: CommandName): string =>
	`| [\`${name}\`](${name}.md) | ${cell(commands.of(name).summary)} |`;

function page(name: CommandName): string {
	const {summary, description, legends = [], usage, aliases, examples} = commands.of(name);
	const calls = usage.map((words) => `${program} ${`${name} ${words}`.trimEnd()} [flags] [options]`);
	return joined([
		`# ${program} ${name}`,
		made,
		[`${summary}.`, ...(description ?? [])].join('\n'),
		fenced(calls),
		...(aliases.length > 0
			? [`Aliases: ${[name, ...aliases].map((word) => `\`${word}\``).join(', ')}.`]
			: []),
		...(examples.length > 0
			? ['## Examples', fenced(examples.flatMap(([what, command]) => [`# ${what}`, `${program} ${command}`]))]
			: []),
		...legends.flatMap(([title, words]) => [`## ${title}`, legendTable(words)]),
		...flagSections(name),
		...outputSection(name),
	]);
}

const legendTable = (words: Readonly<Record<string, string>>): string =>
	[
		'| Word | Meaning |',
		'| --- | --- |',
		...Object.entries(words).map(([word, meaning]) => `| \`${word}\` | ${cell(meaning)} |`),
	].join('\n');

function flagSections(name: CommandName): string[] {
	if (name === 'options') return ['## Flags', flagTable(connectionFlags)];
	const flags = commands.shownFlagsOf(name);
	const controller = without(flags, without(flags, controllerFlags));
	return [
		'## Flags',
		flagTable(without(without(flags, connectionFlags), controllerFlags)),
		...(Object.keys(controller).length > 0
			? [
					'## Flags of the controllers',
					'They are found out where possible; a flag wins.',
					flagTable(controller),
				]
			: []),
		'It takes the [flags that every command takes](options.md), too.',
	];
}

function outputSection(name: CommandName): string[] {
	const {outputs, schemas = []} = commands.of(name);
	if (outputs.length === 0) return [];
	const links = schemas.map((schema) => `[${schema}](../schema/${schema}.json)`);
	return [
		'## Output formats',
		`\`-o\` may be ${outputs.map((output) => `\`${output}\``).join(', ')}. [What the JSON says](../command-line.md#what-the-json-says); its schema: ${links.join(', ')}.`,
	];
}

const without = (flags: FlagTable, others: FlagTable): FlagTable =>
	Object.fromEntries(Object.entries(flags).filter(([flag]) => !Object.hasOwn(others, flag)));

const flagTable = (flags: FlagTable): string =>
	['| Flag | Default | Meaning |', '| --- | --- | --- |', ...Object.entries(flags).map(flagRow)].join('\n');

function flagRow([name, spec]: readonly [string, FlagSpec]): string {
	const names = [...(spec.shortFlag ? [`-${spec.shortFlag}`] : []), `--${name}`];
	const spelt = names.map((one) => `\`${one}\``).join(', ');
	return `| ${spelt} | \`${presetOf(spec)}\` | ${cell(spec.help)} |`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

const fenced = (lines: readonly string[]): string => ['```', ...lines, '```'].join('\n');

const joined = (parts: readonly string[]): string => `${parts.join('\n\n')}\n`;

if (import.meta.main) await writeFolder(referenceFolder, referencePages());
