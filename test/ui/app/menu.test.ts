import {expect, test} from 'vitest';
import {Background} from '../../../src/ui/app/background.ts';
import {chooseFrom} from '../../../src/ui/app/chooseFrom.tsx';
import {choicesShown, type MenuState, reduceMenu} from '../../../src/ui/state/menuState.ts';
import {TestTerminal} from '../support/terminal.ts';

test('a menu of more clusters than rows goes along with the cursor, and keeps title, header and foot', {
	timeout: 20_000,
}, async () => {
	const terminal = new TestTerminal({columns: 60, rows: 12});
	const choices = Array.from({length: 30}, (_, at) => ({name: `cluster-${at}`, title: 'Reachable'}));
	const {stdin, stdout} = terminal;
	const menu = chooseFrom(
		{
			...{title: 'choose a cluster', header: () => 'STATUS', choices: () => choices, first: undefined},
			...{verb: 'open', theme: 'dark', background: new Background()},
			capabilities: {depth: 24, isUnicode: true},
		},
		{stdin, stdout, isAlternate: true, isScreenReader: false},
	);
	const shows = (what: RegExp) => expect.poll(() => terminal.text(), {timeout: 4000}).toMatch(what);
	const whole = (rows: string) =>
		new RegExp(`choose a cluster\\n\\n +STATUS\\n[^]*${rows}[^]*open +/ filter +esc back +q quit`);
	await shows(whole('▸ cluster-0 '));
	stdin.push('/lust');
	await shows(/cluster-0 .* \/lust_/s);
	stdin.push('\x1b');
	await shows(whole('▸ cluster-0 '));
	stdin.push('j'.repeat(15));
	await shows(whole('cluster-14 [^]*▸ cluster-15 [^]*cluster-16 '));
	stdin.push('G');
	await shows(whole('cluster-28 [^]*▸ cluster-29 '));
	stdin.push('\r');
	expect((await menu).choice?.name).toBe('cluster-29');
});

const start: MenuState = {selected: undefined, filter: '', before: undefined, message: undefined};
const all = Array.from({length: 30}, (_, at) => ({
	name: `cluster-${at}`,
	title: at % 2 ? 'Reachable' : 'Unreachable',
}));

/** The menu after these keys, with the last key's effect. */
function pressed(...keys: readonly string[]) {
	let [state, effect]: [MenuState, string | undefined] = [start, undefined];
	for (const key of keys) {
		const shown = choicesShown(state, all);
		const next = reduceMenu(state, key, {shown, page: 10});
		[state, effect] = [next.state, next.effect];
	}
	return {state, effect, names: choicesShown(state, all).choices.map(({name}) => name)};
}

test('a menu is filtered as tables are, by names and titles, and esc shows all again', () => {
	expect(pressed('/', ...'-2[0-2]$|r-7 ').names).toEqual(['cluster-7']);
	expect(pressed('/', ...'!Unreachable', 'enter').names).toHaveLength(15);
	expect(pressed('/', ...'unreach', 'enter', 'j', 'j', 'enter')).toMatchObject({
		...{effect: 'open', state: {selected: 'cluster-4'}},
	});
	expect(pressed('/', 'x', 'enter', 'esc')).toMatchObject({effect: undefined, state: {filter: ''}});
	expect(pressed('/', 'x', 'esc').names).toHaveLength(30);
	expect(pressed('esc').effect).toBe('back');
	expect(pressed('/', 'q').effect).toBe(undefined);
});

test.for([
	{keys: ['X'], want: 'no key X here'},
	{keys: ['?'], want: 'no key ? here'},
	{keys: ['/', 'ctrl-x'], want: 'no key ctrl-x while typing; esc leaves'},
	{keys: ['/', 'z', 'z', 'enter', 'enter'], want: 'there is no row here'},
])('a key that does nothing in a menu says so: $keys', ({keys, want}) => {
	expect(pressed(...keys).state.message).toContain(want);
});
