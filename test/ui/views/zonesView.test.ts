import {expect, test} from 'vitest';
import {shownForecast} from '../../../src/ui/scene/digest.ts';
import {glyphsOf} from '../../../src/ui/theme/glyphs.ts';
import {cellContext, textOf} from '../../../src/ui/views/table.ts';
import {zones} from '../../../src/ui/views/zonesView.ts';
import {aForecast, aZoneForecast, now} from '../../print/forecasts.ts';
import {aScene} from '../support/scenes.ts';

test.for([
	{stop: {}, word: 'stopped'},
	{stop: {isToCome: true}, word: 'stopping'},
	{stop: {isInDoubt: true}, word: 'stopped?'},
])('the state and the rate of a zone are one: $word', ({stop, word}) => {
	const stopped = {kind: 'ZoneStopped', by: '', since: null, releasedBy: '', ...stop} as const;
	const zone = aZoneForecast({state: 'PartialDisruption', rate: 0, stopped});
	const context = cellContext(
		{scene: aScene(), now, timeZone: 'UTC', glyphs: glyphsOf(true)},
		shownForecast(aForecast()),
	);
	const shown = zones.columns.filter(({title}) => title === 'STATE' || title === 'RATE');
	expect(shown.map((column) => textOf(column, zone, context, 20))).toEqual([word, word]);
});
