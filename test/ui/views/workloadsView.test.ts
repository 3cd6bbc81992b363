import {expect, test} from 'vitest';
import {workloadImpacts} from '../../../src/impact/workloadImpact.ts';
import {measureColumns, placeColumns} from '../../../src/ui/components/columns.ts';
import {Impacts} from '../../../src/ui/scene/risks.ts';
import {glyphsOf} from '../../../src/ui/theme/glyphs.ts';
import {workloads} from '../../../src/ui/views/workloadsView.ts';
import {aController, relatedTo} from '../../impact/related.ts';
import {aForecast, aPodForecast, inSeconds, now} from '../../print/forecasts.ts';
import {aScene} from '../support/scenes.ts';

type Fields = Parameters<typeof aPodForecast>[0];

const aPodOf = (owner: string, uid: string, fields: Fields) =>
	aPodForecast({
		owner: {kind: 'StatefulSet', name: owner, uid: owner},
		name: uid,
		uid,
		ready: 'True',
		...fields,
	});

const held = {verdict: 'Held', eviction: null} as const;
const safe = {verdict: 'Safe', eviction: null, cause: null} as const;

const contextOf = (pods: readonly ReturnType<typeof aPodForecast>[], fields = {}) => {
	const scene = aScene({forecast: aForecast({pods}), ...fields});
	const {forecast} = scene;
	if (!forecast) throw new Error('no forecast');
	return {scene, forecast, now, timeZone: 'UTC', glyphs: glyphsOf(true)} as const;
};

test('workloads that reach zero come first, then those that lose pods soonest', () => {
	const pods = [
		aPodOf('soon', 's0', {eviction: inSeconds(10)}),
		aPodOf('soon', 's1', safe),
		aPodOf('zero', 'z0', {eviction: inSeconds(200)}),
	];
	const names = (fields = {}) => workloads.rows(contextOf(pods, fields)).map(({name}) => name);
	expect(names()).toEqual(['zero', 'soon']);
	// A workload that was not read may have other ready pods elsewhere.
	expect(names({isPartial: true})).toEqual(['soon', 'zero']);
	const related = relatedTo([aController('zero', {desired: 1, ready: 1, kind: 'StatefulSet'})]);
	const impacts = new Impacts(workloadImpacts(aForecast({pods}), related));
	expect(names({isPartial: true, impacts})).toEqual(['zero', 'soon']);
});

test('counts of a large workload are not cut, and small ones take no room', () => {
	const pods = [aPodOf('big', 'b0', {eviction: inSeconds(200)})];
	const widthWith = (count: number) => {
		const of = {desired: count, ready: count - 1, kind: 'StatefulSet'} as const;
		const impacts = new Impacts(workloadImpacts(aForecast({pods}), relatedTo([aController('big', of)])));
		const context = contextOf(pods, {isPartial: true, impacts});
		const placed = placeColumns(measureColumns(workloads.columns, workloads.rows(context), context), 78);
		return placed.find(({column}) => column.title === 'READY')?.width;
	};
	expect([widthWith(3), widthWith(1483), widthWith(20_000)]).toEqual([5, 9, 11]);
});

test('short names give room to what follows of a deletion', () => {
	const pods = [aPodOf('db', 'd0', {eviction: inSeconds(200)})];
	const context = contextOf(pods);
	const rows = workloads.rows(context);
	const placed = placeColumns(measureColumns(workloads.columns, rows, context), 82);
	const then = placed.find(({column}) => column.title === 'THEN');
	expect(then?.width).toBe(rows[0]?.afterwards.length);
	expect(placed[0]?.width).toBeLessThan(30);
});

test('a workload whose pods are all held does not look safe', () => {
	const context = contextOf([aPodOf('db', 'd0', held), aPodOf('db', 'd1', held)]);
	const [row] = workloads.rows(context);
	const cell = (title: string) => {
		const column = workloads.columns.find((one) => one.title === title);
		return row && column?.cell?.(row, context, 12)?.text;
	};
	expect([cell('FIRST'), cell('EVICTING')]).toEqual(['held', '0 (2 held)']);
});

test.for([
	{
		name: 'all stay',
		ready: 3,
		pods: [],
		said: '3 of 3 pods are ready and stay so; none of its pods is predicted to be evicted.',
	},
	{
		name: 'one that is not ready goes',
		ready: 2,
		pods: [{ready: 'Unknown'} as const],
		said: '2 of 3 pods are ready and stay so; 1 not ready is predicted to be evicted.',
	},
	{
		name: 'a ready one goes',
		ready: 3,
		pods: [{ready: 'True'} as const],
		said: '3 of 3 pods are ready. The fewest that stay ready are 2, in 1:00, before anything is replaced. 1 of its pods is predicted to be evicted.',
	},
	{
		name: 'none is',
		ready: 0,
		pods: [],
		said: '0 of 3 pods are ready; none of its pods is predicted to be evicted.',
	},
])('what becomes of the ready pods of a workload: $name', ({ready, pods, said}) => {
	const all = [
		aPodOf('db', 'd9', {verdict: 'Terminating', eviction: null, ready: 'Unknown'}),
		...pods.map((fields, index) => aPodOf('db', `d${index}`, {eviction: inSeconds(60), ...fields})),
	];
	const related = relatedTo([aController('db', {desired: 3, ready, kind: 'StatefulSet'})]);
	const context = contextOf(all, {impacts: new Impacts(workloadImpacts(aForecast({pods: all}), related))});
	const [row] = workloads.rows(context);
	expect(row && workloads.sentencesOf?.(row, context)[0]).toContain(said);
});
