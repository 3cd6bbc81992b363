import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {camelCase, type FlagSpec} from '../../../cmd/args/flagSpec.ts';
import {parseArguments} from '../../../cmd/args/flagValues.ts';
import {commands} from '../../../cmd/commands/commandTable.ts';
import {anyText} from '../../support/anyText.ts';
import {runsOf} from '../../support/drawn.ts';

const table = {
	namespace: {type: 'string', shortFlag: 'n', help: ''},
	'as-group': {type: 'string', isMultiple: true, help: ''},
	'no-headers': {type: 'boolean', help: ''},
	'allow-missing-template-keys': {type: 'boolean', isOnByDefault: true, help: ''},
	theme: {type: 'string', choices: ['dark', 'light'], help: ''},
} as const;

const parse = (flags: readonly (readonly [string, string])[], positionals: readonly string[] = []) =>
	parseArguments(table, {flags, positionals});

test('what is not given is undefined, empty, or false, but for what is on by default', () => {
	expect(parse([]).flags).toEqual({
		...{namespace: undefined, asGroup: [], noHeaders: false, allowMissingTemplateKeys: true},
		theme: undefined,
	});
});

const words = fc.oneof(
	anyText(8),
	fc.constantFrom(
		'',
		'-1',
		'--',
		'-n',
		'--no-headers',
		'007',
		'1e3',
		'"a"',
		"'a'",
		'""',
		'a=b',
		'x\ny',
		'__proto__',
	),
);

test('every value and every argument is taken as it was typed', () => {
	const drawn = fc.record({
		namespace: words,
		groups: fc.array(words, {maxLength: 3}),
		isOff: fc.boolean(),
		input: fc.array(words, {maxLength: 3}),
	});
	const judge = ({
		namespace,
		groups,
		isOff,
		input,
	}: typeof drawn extends fc.Arbitrary<infer One> ? One : never) => {
		const flags: (readonly [string, string])[] = [
			['namespace', namespace],
			...groups.map((group) => ['as-group', group] as const),
			['no-headers', String(isOff)],
			['allow-missing-template-keys', String(isOff)],
		];
		const parsed = parse(flags, input);
		expect(parsed.input).toEqual(input);
		expect(parsed.flags).toMatchObject({namespace, asGroup: groups, noHeaders: isOff});
		expect(parsed.flags.allowMissingTemplateKeys).toBe(isOff);
	};
	fc.assert(fc.property(drawn, judge), {numRuns: runsOf(60, 5000)});
});

test('a value that is none of the choices is told in the words of kubectl', () => {
	expect(parse([['theme', 'light']]).flags.theme).toBe('light');
	expect(() => parse([['theme', 'blue']])).toThrow(
		expect.objectContaining({
			name: 'UserError',
			message: 'invalid argument "blue" for "--theme" flag: want one of dark, light',
		}),
	);
});

test('meow knows every flag of every command by the name that it has here', () => {
	const sampleOf = ({type, choices}: FlagSpec) => (type === 'boolean' ? 'true' : (choices?.[0] ?? 'x'));
	const given = Object.entries(commands.flags).map(([name, spec]) => [name, sampleOf(spec)] as const);
	const {flags} = parseArguments(commands.flags, {flags: given, positionals: []});
	const parsed = given.map(([name]) => [(flags as Record<string, unknown>)[camelCase(name)]].flat()[0]);
	expect(parsed.map(String)).toEqual(given.map(([, value]) => value));
});
