import {expect, test} from 'vitest';
import type {PodChange} from '../../src/forecast/whatif/whatIf.ts';
import {nodes} from '../../src/print/tables/nodeKind.ts';
import {pods} from '../../src/print/tables/podKind.ts';
import {zones} from '../../src/print/tables/zoneKind.ts';
import {formatWhatIf} from '../../src/print/whatif/formatWhatIf.ts';
import {formatRescue} from '../../src/print/whatif/rescue.ts';
import {aPod} from '../support/builders.ts';
import {aNodeForecast, aPodForecast, aZoneForecast, inSeconds, now} from './forecasts.ts';

test('pods: overdue first of all, then by the median of what will be evicted, then what may be, then held, then the rest by name', () => {
	const items = [
		aPodForecast({name: 'safe', verdict: 'Safe', eviction: null}),
		aPodForecast({name: 'stays', verdict: 'Stays', eviction: null}),
		aPodForecast({name: 'held-b', verdict: 'Held', eviction: null}),
		aPodForecast({name: 'held-a', verdict: 'Held', eviction: null}),
		aPodForecast({name: 'later', verdict: 'Scheduled', eviction: inSeconds(60)}),
		aPodForecast({name: 'sooner', verdict: 'Unsure', eviction: inSeconds(30, null)}),
		aPodForecast({name: 'terminating', verdict: 'Terminating', eviction: null}),
		aPodForecast({name: 'overdue', verdict: 'Overdue', eviction: inSeconds(-5)}),
		aPodForecast({name: 'begun', verdict: 'Expected', eviction: inSeconds(-30, 20)}),
		aPodForecast({name: 'a', namespace: 'zoo', verdict: 'Held', eviction: null}),
	];
	expect(items.toSorted(pods.compare).map(({name}) => name)).toEqual([
		'overdue',
		'begun',
		'later',
		'sooner',
		'held-a',
		'held-b',
		'a',
		'terminating',
		'stays',
		'safe',
	]);
});

test('what-if and rescue go by the order of pods: what is certain first, then the soonest', () => {
	const forecasts = [
		aPodForecast({name: 'perhaps', uid: '1', verdict: 'Unsure', eviction: inSeconds(0, 60)}),
		aPodForecast({name: 'wide', uid: '2', verdict: 'Expected', eviction: inSeconds(5, 95)}),
		aPodForecast({name: 'near', uid: '3', verdict: 'Scheduled', eviction: inSeconds(30, 40)}),
	];
	const namesIn = (text: string) => text.match(/(?<=^shop +)(perhaps|wide|near)/gm);
	const pods = forecasts.map((after): PodChange => {
		const before = {...after, verdict: 'Safe' as const, eviction: null};
		return {before, after, effect: 'added', shift: null, endings: {before: [], after: []}};
	});
	const impact = {pods, workloads: [], outOfService: []};
	const changed = formatWhatIf(
		{at: now, changes: [], isControlled: true, pods, nodes: [], zones: []},
		impact,
	);
	const saved = forecasts.map((forecast) => {
		const pod = {...aPod(forecast.name), nodeName: forecast.node};
		return {forecast, pod, remedies: [], endings: [], isNodeWell: false};
	});
	const order = ['wide', 'near', 'perhaps'];
	expect(namesIn(changed)).toEqual(order);
	expect(namesIn(formatRescue({now, pods: saved, held: []}))).toEqual(order);
});

test('nodes: the nearest to losing pods first, then by name', () => {
	const items = [
		aNodeForecast({name: 'b', verdict: 'Healthy'}),
		aNodeForecast({name: 'a', verdict: 'Healthy'}),
		aNodeForecast({name: 'c', verdict: 'Silent'}),
		aNodeForecast({name: 'd', verdict: 'Tainted'}),
		aNodeForecast({name: 'e', verdict: 'Queued'}),
	];
	expect(items.toSorted(nodes.compare).map(({name}) => name)).toEqual(['d', 'e', 'c', 'a', 'b']);
});

test('zones: the most disrupted first, then the longest queue, then those with silent or late nodes, then by name', () => {
	const items = [
		aZoneForecast({zone: 'b'}),
		aZoneForecast({zone: 'a'}),
		aZoneForecast({zone: 'g', late: 1}),
		aZoneForecast({zone: 'f', silent: 1}),
		aZoneForecast({zone: 'c', notReady: 1, queue: ['n1']}),
		aZoneForecast({zone: 'd', state: 'PartialDisruption'}),
		aZoneForecast({zone: 'e', state: 'FullDisruption'}),
	];
	expect(items.toSorted(zones.compare).map(({zone}) => zone)).toEqual(['e', 'd', 'c', 'f', 'g', 'a', 'b']);
});
