import {expect, test} from 'vitest';
import {Range} from '../../../src/forecast/range.ts';
import {glyphsOf} from '../../../src/ui/theme/glyphs.ts';
import {pods} from '../../../src/ui/views/podsView.ts';
import {cellContext} from '../../../src/ui/views/table.ts';
import {aForecast, aPodForecast, inSeconds, now} from '../../print/forecasts.ts';
import {aScene} from '../support/scenes.ts';

const period = {
	name: 'node-monitor-period',
	value: 5000,
	source: {kind: 'profile', detail: ''},
	unit: 'duration',
} as const;

test.for([
	{name: 'soon', seconds: 100, said: '14:01:34'},
	{name: 'in two days', seconds: 2 * 24 * 3600, said: '2026-02-02'},
	{name: 'now', seconds: 3, said: 'too late?'},
])('a node that must recover $name has a time that cannot be taken for another', ({seconds, said}) => {
	const pod = aPodForecast({eviction: inSeconds(seconds)});
	const scene = aScene({forecast: aForecast({pods: [pod]}), settings: [period]});
	const {forecast} = scene;
	if (!forecast) throw new Error('no forecast');
	const column = pods.columns.find(({title}) => title === 'MUST-RECOVER-BY');
	const context = cellContext({scene, now, timeZone: 'UTC', glyphs: glyphsOf(true)}, forecast);
	expect(column?.cell(pod, context)).toBe(said);
});

test.for([
	{name: 'of a narrow range', eviction: inSeconds(100, 102), said: '-'},
	{name: 'of a wide one', eviction: inSeconds(100, 200), said: '1:50–3:10'},
	{
		name: 'of one that may not come',
		eviction: new Range(now, now + 50_000, null, {
			likely: {from: now + 10_000, until: now + 90_000},
			probability: 0.126,
		}),
		said: '13% 0:10–1:30',
	},
	{name: 'without a known end', eviction: inSeconds(100, null), said: '-'},
])('what is likely of a range is told where its ends say too little: $name', ({eviction, said}) => {
	const scene = aScene({forecast: aForecast({pods: [aPodForecast({verdict: 'Expected', eviction})]})});
	const {forecast} = scene;
	const [pod] = forecast?.pods ?? [];
	if (!forecast || !pod) throw new Error('no forecast');
	const column = pods.columns.find(({title}) => title === 'LIKELY');
	const context = cellContext({scene, now, timeZone: 'UTC', glyphs: glyphsOf(true)}, forecast);
	expect(column?.cell(pod, context)).toBe(said);
});
