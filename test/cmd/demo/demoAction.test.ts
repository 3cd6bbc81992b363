import {expect, test} from 'vitest';
import {parseCommandLine} from '../../../cmd/commands/commandTable.ts';
import {demo} from '../../../cmd/demo/demoAction.ts';
import {scenarios} from '../../../src/demo/world/scenarios.ts';
import {printedBy} from '../printed.ts';

const run = (line: string) => printedBy((terminal) => demo(parseCommandLine(line.split(' ')), terminal));

test.for([
	{line: 'demo node-deis', error: /unknown scenario "node-deis"; did you mean "node-dies"\?/},
	{line: 'demo a b', error: /demo plays one scenario, not 2/},
	{line: 'demo --serve=65536', error: /invalid argument "65536" for "--serve" flag/},
	{line: 'demo --speed 0', error: /invalid argument "0" for "--speed" flag/},
	{line: 'demo --speed fast', error: /invalid argument "fast" for "--speed" flag/},
	{line: 'demo --serve 0 --speed 10', error: /--speed cannot be used with --serve/},
])('$line is refused', async ({line, error}) => {
	await expect(run(line)).rejects.toThrow(error);
});

test('an unknown scenario is answered with the names of all', async () => {
	await expect(run('demo earthquake')).rejects.toMatchObject({
		hint: `choose one of: ${scenarios.map(({name}) => name).join(', ')}`,
	});
});

test('the list has a line for each scenario', async () => {
	const lines = (await run('demo --list')).out.split('\n');
	expect(lines).toHaveLength(scenarios.length + 1);
	expect(lines[0]).toBe('node-dies            one node of twelve falls silent');
});
