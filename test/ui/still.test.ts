import {expect, test} from 'vitest';
import {second} from '../../src/core/time/instant.ts';
import {textAt} from './support/dashboards.ts';
import {Outage} from './support/outage.ts';
import {PressedDashboard} from './support/pressed.ts';

const outage = new Outage('zone-dies').advance(75 * second);

test.for([
	{columns: 60, rows: 15},
	{columns: 80, rows: 24},
	{columns: 100, rows: 30},
	{columns: 120, rows: 40},
])(
	'a message, a prompt or a filter takes its line from the table, and nothing above moves: $columns by $rows',
	(size) => {
		const dashboard = new PressedDashboard(outage.source);
		const header = (frame: readonly string[]) => frame.findIndex((text) => /^ {2}IN/.test(text));
		const still = dashboard.frame(size);
		const above = still.slice(0, header(still));
		for (const keys of [['c'], [':'], ['esc', '/'], ['t', 'enter'], ['ctrl-a']]) {
			dashboard.press(keys, size);
			expect(dashboard.frame(size).slice(0, above.length)).toEqual(above);
		}
	},
);

test('where one zone would be left out, the line that says so is that zone', () => {
	const frame = new PressedDashboard(outage.source).frame({columns: 80, rows: 24}).join('\n');
	expect(frame).toMatch(/^ {2}eu\/control /m);
	expect(frame).not.toContain('more zone');
});

test('enter on a workload names its pods in trouble', async () => {
	const text = await textAt({columns: 80, rows: 24})(outage.source, '5', '/storefront\r', '\r');
	expect(text).toContain('deployment/storefront in namespace shop: 2 will be evicted');
	expect(text).toMatch(
		/ITS PODS IN TROUBLE\n ● [\d:–]+ +storefront-\w+-bx5k2 {2}b2\n ● [\d:–]+ +storefront-\w+-sgmnw {2}b1/,
	);
});

test.for([
	{keys: ['5', '/cart\r', '\r'], says: 'statefulset/cart in namespace shop'},
	{keys: ['7', '\r'], says: 'node-monitor-period = 5s'},
])('a screen reader is told the details of any row: $says', async ({keys, says}) => {
	const text = await textAt({columns: 100, rows: 30}, {}, true)(outage.source, ...keys);
	expect(text).toContain(says);
});

test('a screen reader is told the help, what is typed, and what a key did', async () => {
	const told = textAt({columns: 100, rows: 60}, {}, true);
	expect(await told(outage.source, '?')).toContain('rescue, what if');
	expect(await told(outage.source, '/cart')).toMatch(/^ \/cart_$/m);
	expect(await told(outage.source, 'c')).toContain(
		'copied, c copies the name: (on node b2) systemctl restart kubelet',
	);
	expect(await told(outage.source, 'x')).toContain('no key x here');
});
