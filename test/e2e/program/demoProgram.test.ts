import {expect, test} from 'vitest';
import {builtProgram} from '../../support/builtProgram.ts';
import {barePath, runProgram} from '../../support/runProgram.ts';
import {testFolder} from '../../support/testFolder.ts';

const {path: folder} = testFolder();
const program = builtProgram;
const env = {PATH: barePath, HOME: folder, TERM: 'xterm'};

const play = (...args: readonly string[]) => runProgram(program, args, {env});

test('a demo of a kubelet that runs short goes to its first eviction, which is no deletion', async () => {
	const {code, out, err} = await play('demo', 'node-pressure');
	expect([code, err]).toEqual([0, '']);
	const time = String.raw`\d\d:\d\d:\d\d`;
	expect(out).toMatch(
		new RegExp(`${time}  .*\\b[Nn]ode b2 runs short of memory: its kubelet evicts shop/search-\\S+ in `),
	);
	expect(out).toMatch(/NodePressure \(memory\.available\)/);
	expect(out).toMatch(
		new RegExp(`\nshop/search-\\S+ on b2: evicted by its kubelet at ${time} UTC, 0s ago\\.\n`),
	);
	expect(out).toContain('It came inside every range that was predicted');
}, 60_000);

test('without a terminal, the demo forecasts, runs to the first deletion, and says whether it was right', async () => {
	const result = await play('demo');
	expect(result).toMatchObject({code: 0, err: ''});
	const time = String.raw`\d\d:\d\d:\d\d`;
	expect(result.out).toMatch(
		new RegExp(
			[
				'^node-dies: one node of twelve falls silent\n\n',
				`${time}  5 pods will be evicted, 2 in the next 5 min: the first in .*; node b2 silent for \\d+s, .*\n\n`,
				'NAMESPACE +NAME +IN +AT +VERDICT +NODE +ZONE +CAUSE\n(?:shop .*\n){5}\n',
				`shop/storefront-\\S+ on b2: deleted at ${time} UTC, 0s ago\\.\n`,
				`At ${time}, \\S+ before, it was predicted for ${time}(?: to ${time}, the median ${time})?\\.\n`,
				'It came inside every range that was predicted, \\S+ from the first median\\.\n$',
			].join(''),
		),
	);
}, 60_000);
