import {expect, test} from 'vitest';
import {type FlagPair, readArguments} from '../../../cmd/args/kubectlGrammar.ts';

test.for<{
	name: string;
	argv: readonly string[];
	flags: readonly FlagPair[];
	positionals?: readonly string[];
}>([
	{name: 'a long flag and its value', argv: ['--context', 'prod'], flags: [['context', 'prod']]},
	{name: 'a long flag with an equals sign', argv: ['--context=a=b'], flags: [['context', 'a=b']]},
	{name: 'an empty value', argv: ['--namespace='], flags: [['namespace', '']]},
	{name: 'a switch takes no value', argv: ['--all', 'web'], flags: [['all', 'true']], positionals: ['web']},
	{name: 'a switch may be turned off', argv: ['--all=F'], flags: [['all', 'false']]},
	{name: 'a short flag and its value', argv: ['-n', 'shop'], flags: [['namespace', 'shop']]},
	{name: 'a short flag with its value glued on', argv: ['-ojson'], flags: [['output', 'json']]},
	{name: 'a short flag with an equals sign', argv: ['-o=json'], flags: [['output', 'json']]},
	{
		name: 'short flags in one word',
		argv: ['-Awo', 'wide'],
		flags: [
			['all-namespaces', 'true'],
			['watch', 'true'],
			['output', 'wide'],
		],
	},
	{name: 'a value may begin with a dash', argv: ['-l', '-x'], flags: [['selector', '-x']]},
	{
		name: 'flags stand anywhere',
		argv: ['-A', 'pods', '--all', 'web'],
		flags: [
			['all-namespaces', 'true'],
			['all', 'true'],
		],
		positionals: ['pods', 'web'],
	},
	{
		name: 'after two dashes all are arguments',
		argv: ['--', '-A', '--x'],
		flags: [],
		positionals: ['-A', '--x'],
	},
	{
		name: 'a single dash is an argument',
		argv: ['-f', '-', '-'],
		flags: [['filename', '-']],
		positionals: ['-'],
	},
	{name: 'the last of a repeated flag wins', argv: ['-n', 'a', '-n', 'b'], flags: [['namespace', 'b']]},
	{
		name: 'a flag that may repeat keeps all',
		argv: ['--as-group', 'a', '--as-group', 'b'],
		flags: [
			['as-group', 'a'],
			['as-group', 'b'],
		],
	},
	{
		name: 'an optional value may be left out at the end of a line',
		argv: ['pods', '--enable-taint-manager'],
		flags: [['enable-taint-manager', '']],
		positionals: ['pods'],
	},
	{
		name: 'an optional value is taken where it fits',
		argv: ['--serve', '8001', 'demo'],
		flags: [['serve', '8001']],
		positionals: ['demo'],
	},
	{
		name: 'an optional value is left where it does not',
		argv: ['demo', '--serve', 'node-dies'],
		flags: [['serve', '']],
		positionals: ['demo', 'node-dies'],
	},
])('$name', ({argv, flags, positionals = []}) => {
	expect(readArguments(argv)).toEqual({flags, positionals});
});

test.for([
	{name: 'an unknown flag', argv: ['--xyz'], want: 'unknown flag: --xyz'},
	{
		name: 'a flag for what a name chooses',
		argv: ['pods', '--node=b1'],
		want: 'unknown flag: --node; did you mean node/NAME, without a flag? (What-ifs have --node-down.)',
	},
	{name: 'an unknown flag of three letters, one like --for', argv: ['--foo'], want: 'unknown flag: --foo'},
	{
		name: 'an unknown flag near a known one',
		argv: ['--node-montor-period=5s'],
		want: 'unknown flag: --node-montor-period; did you mean --node-monitor-period?',
	},
	{
		name: 'an unknown flag that is the beginning of known ones: the shortest',
		argv: ['--al'],
		want: 'unknown flag: --al; did you mean --all?',
	},
	{
		name: 'an unknown flag of two words, of which the first is known',
		argv: ['--node-up=b1'],
		want: 'unknown flag: --node-up; did you mean --node-down or --node-back?',
	},
	{name: 'an unknown short flag', argv: ['-Az'], want: "unknown shorthand flag: 'z' in -Az"},
	{name: 'a long flag without its value', argv: ['--context'], want: 'flag needs an argument: --context'},
	{name: 'a short flag without its value', argv: ['-n'], want: "flag needs an argument: 'n' in -n"},
	{
		name: 'a switch with a value that is no boolean',
		argv: ['-A=x'],
		want: 'invalid argument "x" for "--all-namespaces" flag: want true or false',
	},
	{name: 'three dashes', argv: ['---all'], want: 'unknown flag: ---all; did you mean --all?'},
])('$name is told in the words of kubectl', ({argv, want}) => {
	expect(() => readArguments(argv)).toThrow(
		expect.objectContaining({
			name: 'UserError',
			message: want,
			hint: "See 'kubectl evictwatch --help' for usage.",
		}),
	);
});
