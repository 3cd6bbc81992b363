import {expect, test} from 'vitest';
import {defaultScenario, demoPlan, scenarioList} from '../../../cmd/demo/demoPlan.ts';
import {scenarios} from '../../../src/demo/world/scenarios.ts';

const nothing = {serve: undefined};

test('without a name, whoever can be asked chooses; node-dies is served, or played where nobody can', () => {
	expect(demoPlan([], nothing)).toMatchObject({type: 'play', scenario: undefined, speed: undefined});
	expect(demoPlan([], {...nothing, serve: '0'})).toMatchObject({
		type: 'serve',
		scenario: {name: 'node-dies'},
	});
	expect(defaultScenario.name).toBe('node-dies');
});

test('a scenario is played at the speed asked for', () => {
	const plan = demoPlan(['zone-dies'], {...nothing, speed: '2.5'});
	expect(plan).toMatchObject({type: 'play', scenario: {name: 'zone-dies'}, speed: 2.5});
	expect(demoPlan([], {...nothing, speed: '30x'})).toMatchObject({speed: 30});
});

test('a scenario is served on a port', () => {
	const plan = demoPlan(['recovery'], {serve: '8001'});
	expect(plan).toMatchObject({type: 'serve', scenario: {name: 'recovery'}, port: 8001});
});

test.for([
	{
		names: ['node-deis'],
		flags: nothing,
		error: /unknown scenario "node-deis"; did you mean "node-dies"\?/,
	},
	{names: ['a', 'b'], flags: nothing, error: /demo plays one scenario, not 2/},
	{names: [], flags: {serve: '65536'}, error: /invalid argument "65536" for "--serve" flag/},
	{names: [], flags: {...nothing, speed: '0'}, error: /invalid argument "0" for "--speed" flag/},
	{names: [], flags: {...nothing, speed: 'fast'}, error: /invalid argument "fast" for "--speed" flag/},
	{names: [], flags: {serve: '0', speed: '10'}, error: /--speed cannot be used with --serve/},
])('$names with $flags is refused', ({names, flags, error}) => {
	expect(() => demoPlan(names, flags)).toThrow(error);
});

test('an unknown scenario is answered with the names of all', () => {
	expect(() => demoPlan(['earthquake'], nothing)).toThrow(
		expect.objectContaining({hint: `choose one of: ${scenarios.map(({name}) => name).join(', ')}`}),
	);
});

test('the list has a line for each scenario', () => {
	expect(demoPlan([], {...nothing, list: true})).toEqual({type: 'list'});
	const lines = scenarioList().split('\n');
	expect(lines).toHaveLength(scenarios.length + 1);
	expect(lines[0]).toBe('node-dies            one node of twelve falls silent');
});
