import type {CommandSpec} from './commandSpec.ts';

/** What `-o` may say to commands that print something else than a list of objects. */
export const structuredOutputs: CommandSpec['outputs'] = [
	'go-template',
	'go-template-file',
	'json',
	'jsonpath',
	'jsonpath-as-json',
	'jsonpath-file',
	'kyaml',
	'yaml',
];

/** What it may say to those that print objects of one kind. */
export const listOutputs: CommandSpec['outputs'] = [
	...structuredOutputs,
	'custom-columns',
	'custom-columns-file',
	'name',
	'wide',
].toSorted() as unknown as CommandSpec['outputs'];

/** What it may say to those that tell a story. */
export const pageOutputs = ['html', 'json', 'markdown'] as const;
