import {expect, test} from 'vitest';
import {Background} from '../../../src/ui/app/background.ts';
import {chooseFrom} from '../../../src/ui/app/chooseFrom.ts';
import {defaultBindings} from '../../../src/ui/state/keyTable.ts';
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
			...{verb: 'open', theme: 'dark', background: new Background(), bindings: defaultBindings},
			capabilities: {depth: 24, isUnicode: true},
		},
		{stdin, stdout, isAlternate: true, isScreenReader: false},
	);
	const shows = (what: RegExp) => expect.poll(() => terminal.text(), {timeout: 4000}).toMatch(what);
	const whole = (rows: string) => new RegExp(`choose a cluster\\n\\n +STATUS\\n[^]*${rows}[^]*open +q quit`);
	await shows(whole('▸ cluster-0 '));
	stdin.push('j'.repeat(15));
	await shows(whole('cluster-14 [^]*▸ cluster-15 [^]*cluster-16 '));
	stdin.push('G');
	await shows(whole('cluster-28 [^]*▸ cluster-29 '));
	stdin.push('\r');
	expect((await menu).choice?.name).toBe('cluster-29');
});
