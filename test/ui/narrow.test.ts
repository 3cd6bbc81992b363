import {expect, test} from 'vitest';
import {second} from '../../src/core/time/instant.ts';
import {widthOf} from '../../src/ui/theme/text.ts';
import {viewNames} from '../../src/ui/views/tables.ts';
import {Outage} from './support/outage.ts';
import {PressedDashboard} from './support/pressed.ts';

test('on the smallest screens lines are left out whole, healthy zones first', () => {
	const dashboard = new PressedDashboard(new Outage('partial-small-zone').advance(90 * second).source);
	for (const rows of [9, 10, 11, 12]) {
		const frame = dashboard.frame({columns: 40, rows});
		const zones = frame.flatMap((line) => /^ {2}eu\/\S+/.exec(line)?.[0].trim() ?? []);
		expect(zones).toEqual(['eu/b', 'eu/a'].slice(0, Math.max(0, rows - 10)));
		expect(frame.filter((line) => /^ {2}ZONE \d\/4 {4}STATE/.test(line))).toHaveLength(rows > 10 ? 1 : 0);
		expect(frame.filter((line) => /^▸ ● \S+ {4}shop\/storefront/.test(line))).toHaveLength(1);
		expect(frame.at(-2)).toBe(' · STAYS 4  × TERMINATING 1');
		expect(frame.length).toBeLessThan(rows);
	}
});

test('no view is wider than its screen, however narrow that is', () => {
	const dashboard = new PressedDashboard(new Outage('zone-dies').advance(75 * second).source);
	for (const columns of [40, 43, 47, 52, 59]) {
		const size = {columns, rows: 14};
		for (const index of viewNames.keys()) {
			dashboard.press([String(index + 1)], size);
			for (const line of dashboard.frame(size)) expect(widthOf(line)).toBeLessThanOrEqual(columns);
		}
	}
});
