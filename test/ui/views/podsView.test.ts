import {expect, test} from 'vitest';
import {glyphsOf} from '../../../src/ui/theme/glyphs.ts';
import {pods} from '../../../src/ui/views/podsView.ts';
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
	const column = pods.columns.find(({title}) => title === 'MUST RECOVER BY');
	const context = {scene, forecast, now, timeZone: 'UTC', glyphs: glyphsOf(true)} as const;
	expect(column?.cell?.(pod, context, 10)?.text).toBe(said);
});
