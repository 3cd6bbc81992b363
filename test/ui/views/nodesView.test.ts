import {expect, test} from 'vitest';
import {shownForecast} from '../../../src/ui/scene/digest.ts';
import {glyphsOf} from '../../../src/ui/theme/glyphs.ts';
import {nodes} from '../../../src/ui/views/nodesView.ts';
import {cellContext, spanOf} from '../../../src/ui/views/table.ts';
import {aForecast, aNodeForecast} from '../../print/forecasts.ts';
import {aScene} from '../support/scenes.ts';

const now = Date.UTC(2026, 0, 31, 14);

test.for([
	{name: 'in time, by the interval at which it renews', ago: 25, isSilent: false, tone: undefined},
	{name: 'missing for two of its intervals', ago: 25, isSilent: true, tone: 'bad'},
])('a heartbeat is red by its own node’s renewals: $name', ({ago, isSilent, tone}) => {
	const heartbeat = nodes.columns.find(({title}) => title === 'HEARTBEAT');
	const node = aNodeForecast({lastRenewal: now - ago * 1000, isSilent});
	const context = cellContext(
		{scene: aScene(), now, timeZone: 'UTC', glyphs: glyphsOf(true)},
		shownForecast(aForecast()),
	);
	expect(heartbeat && spanOf(heartbeat, node, context, 10).tone).toBe(tone);
});
