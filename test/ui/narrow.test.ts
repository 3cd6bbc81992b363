import {expect, test} from 'vitest';
import {second} from '../../src/core/time/instant.ts';
import {widthOf} from '../../src/ui/theme/text.ts';
import {viewNames} from '../../src/ui/views/tables.ts';
import {Outage} from './support/outage.ts';
import {PressedDashboard} from './support/pressed.ts';

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
