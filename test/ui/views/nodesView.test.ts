import {expect, test} from 'vitest';
import {nodes} from '../../../src/ui/views/nodesView.ts';
import type {CellContext} from '../../../src/ui/views/table.ts';
import {aNodeForecast} from '../../print/forecasts.ts';

const now = Date.UTC(2026, 0, 31, 14);

test.for([
	{name: 'in time, by the interval at which it renews', ago: 25, isSilent: false, tone: undefined},
	{name: 'missing for two of its intervals', ago: 25, isSilent: true, tone: 'bad'},
])('a heartbeat is red by its own node’s renewals: $name', ({ago, isSilent, tone}) => {
	const heartbeat = nodes.columns.find(({title}) => title === 'HEARTBEAT');
	const node = aNodeForecast({lastRenewal: now - ago * 1000, isSilent});
	expect(heartbeat?.cell?.(node, {now} as CellContext, 10)?.tone).toBe(tone);
});
