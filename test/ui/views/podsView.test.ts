import {expect, test} from 'vitest';
import {glyphsOf} from '../../../src/ui/theme/glyphs.ts';
import {pods} from '../../../src/ui/views/podsView.ts';
import {cellContext} from '../../../src/ui/views/table.ts';
import {aForecast, aNodeForecast, aPodForecast, inSeconds, now} from '../../print/forecasts.ts';
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
	{name: 'one node waits', nodes: ['n1'], said: '1:40'},
	{name: 'nodes wait in random order', nodes: ['n1', 'n2'], said: ''},
])('a pod has a median only if it is known when its node is tainted: $name', ({nodes, said}) => {
	const waiting = nodes.map((name) => aNodeForecast({name, verdict: 'Queued', ready: 'Unknown'}));
	const lost = nodes.map((node) =>
		aPodForecast({node, uid: node, verdict: 'Expected', eviction: inSeconds(90, 110)}),
	);
	const scene = aScene({forecast: aForecast({nodes: waiting, pods: lost})});
	const {forecast} = scene;
	const [pod] = lost;
	if (!forecast || !pod) throw new Error('no forecast');
	const column = pods.columns.find(({title}) => title === 'MEDIAN');
	const context = cellContext({scene, now, timeZone: 'UTC', glyphs: glyphsOf(true)}, forecast);
	expect(column?.cell(pod, context)).toBe(said);
});
