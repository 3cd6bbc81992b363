import {expect, test} from 'vitest';
import {minute, second} from '../../../src/core/time/instant.ts';
import type {Forecast} from '../../../src/forecast/forecast.ts';
import {shownForecast} from '../../../src/ui/scene/digest.ts';
import {headlineOf} from '../../../src/ui/scene/headline.ts';
import {span} from '../../../src/ui/theme/line.ts';
import {
	aForecast,
	aNodeForecast,
	aPodForecast,
	aZoneForecast,
	inSeconds,
	now,
} from '../../print/forecasts.ts';

const pods = (count: number, ...fields: Parameters<typeof aPodForecast>) =>
	Array.from({length: count}, (_, index) =>
		aPodForecast({uid: `${index}`, name: `cart-${index}`, ...fields[0]}),
	);

const stopped = aZoneForecast({
	...{zone: 'eu/b', state: 'PartialDisruption', size: 10, notReady: 7, rate: 0, nextTaint: null},
	toNextState: [
		{state: 'FullDisruption', rate: 0.1, nodesDown: 3},
		{state: 'Normal', rate: 0.1, nodesBack: 2},
	],
	stopped: {kind: 'ZoneStopped', by: 'zone eu/b is stopped', since: now, releasedBy: '2 are back'},
});

const noController = aZoneForecast({
	...{rate: 0, nextTaint: null},
	stopped: {kind: 'ControllerDown', by: 'none', since: now - 3 * minute, releasedBy: 'one'},
});

const allDown = aZoneForecast({
	...{state: 'FullDisruption', rate: 0, nextTaint: null},
	stopped: {kind: 'AllZonesDown', by: 'all', since: null, releasedBy: 'one'},
});

const held = {verdict: 'Held', eviction: null} as const;

test.for<{name: string; fields: Partial<Forecast>; text: string; alarm: string}>([
	{
		name: 'all is well',
		fields: {nodes: [aNodeForecast(), aNodeForecast({name: 'n2'})]},
		text: 'No evictions expected: all 2 nodes are well.',
		alarm: 'calm',
	},
	{
		name: 'a silent node with nothing to lose',
		fields: {nodes: [aNodeForecast({verdict: 'Silent'})]},
		text: 'No evictions expected: n1 is silent.',
		alarm: 'watch',
	},
	{
		name: 'a zone that no node releases',
		fields: {zones: [{...stopped, toNextState: [{state: 'Normal', rate: 0, nodesBack: 2}]}]},
		text: 'Evictions in zone eu/b are stopped (7 of 10 not ready).',
		alarm: 'alarm',
	},
	{
		name: 'every zone is down once the pass under way ends',
		fields: {
			zones: [
				{...stopped, stopped: {kind: 'AllZonesDown', by: '', since: null, releasedBy: '', isToCome: true}},
			],
		},
		text: 'All zones are about to be down: evictions are about to stop until 2 nodes recover.',
		alarm: 'alarm',
	},
	{
		name: 'every zone is down once the silent nodes are Unknown',
		fields: {
			pods: pods(3, {verdict: 'Unsure', eviction: inSeconds(10, 60)}),
			zones: [false, true].map((isSure, index) =>
				aZoneForecast({
					zone: `eu/${index}`,
					coming: {isSure, steps: [{at: inSeconds(13 + index, 21), state: 'FullDisruption', rate: 0}]},
				}),
			),
		},
		text: '3 pods might be evicted; all zones are down in 0:14–0:21: evictions stop then, until a node recovers.',
		alarm: 'watch',
	},
	{
		name: 'a zone is down at an eviction rate of 0, beside one that is well',
		fields: {
			zones: [
				aZoneForecast({
					...{zone: 'eu/b', rate: 0, size: 2, silent: 2},
					toNextState: [{state: 'Normal', rate: 0, nodesBack: 1}],
					coming: {isSure: true, steps: [{at: inSeconds(13, 21), state: 'FullDisruption', rate: 0}]},
				}),
				aZoneForecast({rate: 0}),
			],
		},
		text: 'No evictions expected: all 0 nodes are well.',
		alarm: 'calm',
	},
	{
		name: 'pods that go, and a zone that is stopped',
		fields: {pods: pods(12, {eviction: inSeconds(4, 5)}), zones: [stopped]},
		text: '12 pods will be evicted in the next 5 min: the first in 0:04–0:05; evictions in zone eu/b are stopped until 2 nodes recover (7 of 10 not ready).',
		alarm: 'alarm',
	},
	{
		name: 'one pod is named',
		fields: {pods: pods(1, {eviction: inSeconds(70)})},
		text: 'shop/cart-0 will be evicted in 1:10.',
		alarm: 'alarm',
	},
	{
		name: 'pods that go later are counted apart',
		fields: {
			pods: [...pods(2, {eviction: inSeconds(10)}), aPodForecast({uid: 'x', eviction: inSeconds(400)})],
		},
		text: '3 pods will be evicted, 2 in the next 5 min: the first in 0:10, the last by 14:06:40.',
		alarm: 'alarm',
	},
	{
		name: 'pods that go later only',
		fields: {pods: pods(2, {eviction: inSeconds(400)})},
		text: '2 pods will be evicted: the first in 6:40, the last by 14:06:40.',
		alarm: 'alarm',
	},
	{
		name: 'pods that may go now or in an hour are not said to go now',
		fields: {
			pods: [
				...pods(2, {eviction: inSeconds(58, 60)}),
				aPodForecast({uid: 'x', eviction: inSeconds(38, 3600)}),
				aPodForecast({uid: 'y', verdict: 'Unsure', eviction: inSeconds(38, null)}),
			],
		},
		text: '3 pods will be evicted, 2 in the next 5 min, 1 more might be: the first in 0:38–1:00, the last by 15:00:00.',
		alarm: 'alarm',
	},
	{
		name: 'none that surely goes soon',
		fields: {
			pods: [0, 1].map((index) => aPodForecast({uid: `${index}`, eviction: inSeconds(38, 3600 + index)})),
		},
		text: '2 pods will be evicted: the first in 0:38–1h00m, half by 14:30:20, the last by 15:00:01.',
		alarm: 'alarm',
	},
	{
		name: 'what may go is not said to go',
		fields: {pods: pods(3, {verdict: 'Unsure', eviction: inSeconds(10, 60)})},
		text: '3 pods might be evicted.',
		alarm: 'watch',
	},
	{
		name: 'a zone that is about to stop, and whose pods are held then',
		fields: {
			pods: [...pods(2, {eviction: inSeconds(4, 5)}), aPodForecast({uid: 'b', node: 'b3', ...held})],
			nodes: ['b3', 'b4'].map((name) => aNodeForecast({name, zone: 'eu/b', verdict: 'Silent'})),
			zones: [
				aZoneForecast({
					zone: 'eu/b',
					coming: {steps: [{at: inSeconds(13, 21), state: 'PartialDisruption', rate: 0}], isSure: true},
				}),
			],
		},
		text: '2 pods will be evicted in the next 5 min: the first in 0:04–0:05; zone eu/b: 2 of 10 nodes silent for 4s; zone eu/b stops its evictions in 0:13–0:21: pods of b3, b4 are held then.',
		alarm: 'alarm',
	},
	{
		name: 'a zone that is about to stop, and of whose silent nodes no pod is there to be held',
		fields: {
			pods: pods(2, {eviction: inSeconds(4, 5)}),
			nodes: ['b3', 'b4'].map((name) => aNodeForecast({name, zone: 'eu/b', verdict: 'Silent'})),
			zones: [
				aZoneForecast({
					zone: 'eu/b',
					coming: {steps: [{at: inSeconds(13, 21), state: 'PartialDisruption', rate: 0}], isSure: true},
				}),
			],
		},
		text: '2 pods will be evicted in the next 5 min: the first in 0:04–0:05; zone eu/b: 2 of 10 nodes silent for 4s; zone eu/b stops its evictions in 0:13–0:21.',
		alarm: 'alarm',
	},
	{
		name: 'a zone that may slow down',
		fields: {
			zones: [
				aZoneForecast({
					coming: {steps: [{at: inSeconds(13, 21), state: 'PartialDisruption', rate: 0.01}], isSure: false},
				}),
			],
		},
		text: 'Zone eu/a may slow down its evictions in 0:13–0:21.',
		alarm: 'calm',
	},
	{
		name: 'overdue pods come first',
		fields: {pods: [aPodForecast({verdict: 'Overdue', eviction: inSeconds(-60, -30)})]},
		text: '1 pod overdue.',
		alarm: 'alarm',
	},
	{
		name: 'no controller',
		fields: {pods: pods(4, held), zones: [noController]},
		text: 'No controller is running since 13:57:00: nothing is evicted, and every countdown starts again when one does; 4 pods held.',
		alarm: 'alarm',
	},
	{
		name: 'all zones down',
		fields: {pods: pods(4, held), zones: [allDown, {...allDown, zone: 'eu/b'}]},
		text: 'All zones are down: evictions are stopped until a node recovers; 4 pods held.',
		alarm: 'alarm',
	},
	{
		name: 'running countdowns continue while all zones are down',
		fields: {
			pods: [...pods(4, held), aPodForecast({eviction: inSeconds(10)})],
			zones: [allDown, {...allDown, zone: 'eu/b'}],
		},
		text: 'All zones are down: evictions are stopped until a node recovers; 4 pods held; shop/cart-0 will still be evicted in 0:10.',
		alarm: 'alarm',
	},
	{
		name: 'a long pass of the controller',
		fields: {
			nodes: [aNodeForecast()],
			pods: pods(2, {eviction: inSeconds(10)}),
			pass: {startedAt: now - 190 * second, marked: 334, remaining: 212, unknown: [], endsAt: null},
		},
		text: '2 pods will be evicted in the next 5 min: the first in 0:10; the controller is 3:10 into a pass (334 nodes marked, 212 to go).',
		alarm: 'alarm',
	},
])('$name', ({fields, text, alarm}) => {
	const found = headlineOf(shownForecast(aForecast(fields)), now);
	// The text as it is drawn.
	expect({...found, text: span(found.text).text}).toEqual({text, alarm});
});

test('text from the API cannot move the cursor', () => {
	const {text} = headlineOf(
		shownForecast(aForecast({pods: [aPodForecast({name: 'cart\u001b[2J', eviction: inSeconds(10)})]})),
		now,
	);
	expect(span(text).text).toBe('shop/cart^[[2J will be evicted in 0:10.');
});

test('a zone that taints nobody is not said to be slow', () => {
	const zone = aZoneForecast({state: 'PartialDisruption', notReady: 3, size: 4, rate: 0, queue: ['n1']});
	expect(
		headlineOf(shownForecast(aForecast({zones: [zone], pods: pods(1, {eviction: inSeconds(70)})})), now).text,
	).toBe('shop/cart-0 will be evicted in 1:10.');
});

test('since when something is stopped is said in the zone of the reader', () => {
	const {text} = headlineOf(shownForecast(aForecast({zones: [noController]})), now, 'Asia/Kolkata');
	expect(text).toMatch(/^No controller is running since 19:27:00: /);
});

test('a cluster of which nothing may be read is not called calm', () => {
	const problems = [{reason: 'NodesForbidden', message: 'nodes may not be read'}];
	const blind = shownForecast(aForecast({nodes: [], zones: [], pods: [], problems}));
	expect(headlineOf(blind, now).alarm).toBe('watch');
});
