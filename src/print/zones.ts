import type {Instant} from '../core/time/instant.ts';
import type {StateStep, ZoneForecast, ZoneState} from '../forecast/zoneForecast.ts';
import {compareText} from './compareText.ts';
import {formatCountdown} from './countdown.ts';
import type {Kind} from './kind.ts';
import {hasMoved, optionalRangeJson} from './rangeJson.ts';

const urgency: readonly ZoneState[] = ['FullDisruption', 'PartialDisruption', 'Normal', 'Initial'];
const shownInQueue = 3;

/** How zones are printed. */
export const zones: Kind<ZoneForecast> = {
	name: 'ZoneForecast',
	singular: 'zone',
	columns: [
		{title: 'ZONE', cell: ({zone}) => zone},
		{title: 'STATE', whenGone: 'Gone', cell: ({state}) => state},
		{title: 'READY', cell: ({size, notReady}) => `${size - notReady}/${size}`},
		{title: 'RATE', cell: ({rate}) => (rate === 0 ? '0' : `${Number(rate.toPrecision(3))}/s`)},
		{title: 'NEXT-TOKEN', whenGone: '-', cell: formatNextToken},
		{title: 'QUEUE', whenGone: '-', cell: ({queue}) => formatQueue(queue)},
		{
			title: 'NEXT-STATE',
			whenGone: '-',
			cell: ({toNextState}) => toNextState.map(formatStep).join(', ') || '<none>',
		},
		{title: 'BECAUSE', isWide: true, whenGone: '-', cell: ({because}) => because.join('; ') || '<none>'},
	],
	itemsOf: (forecast) => forecast.zones,
	keyOf: ({zone}) => zone,
	nameOf: ({zone}) => zone,
	compare: (a, b) =>
		urgency.indexOf(a.state) - urgency.indexOf(b.state) ||
		b.queue.length - a.queue.length ||
		compareText(a.zone, b.zone),
	hasChanged: (before, after, now) =>
		before.state !== after.state ||
		before.size !== after.size ||
		before.notReady !== after.notReady ||
		before.rate !== after.rate ||
		before.queue.join() !== after.queue.join() ||
		hasMoved(before.nextToken, after.nextToken, now),
	toJson: zoneJson,
	goneJson: {state: 'Gone', nextToken: null, queue: [], toNextState: [], because: []},
};

function formatNextToken({nextToken}: ZoneForecast, now: Instant): string {
	return nextToken === null ? 'never' : formatCountdown(nextToken, now);
}

// A list cut short has the form that kubectl gives to endpoints.
function formatQueue(queue: readonly string[]): string {
	if (queue.length === 0) return '<none>';
	const more = queue.length - shownInQueue;
	return `${queue.slice(0, shownInQueue).join(',')}${more > 0 ? ` + ${more} more...` : ''}`;
}

function formatStep({state, nodesDown, nodesBack}: StateStep): string {
	return `${nodesDown === undefined ? `${nodesBack ?? 0} back` : `${nodesDown} down`}: ${state}`;
}

function zoneJson({zone, ...forecast}: ZoneForecast) {
	return {
		metadata: {name: zone},
		zone,
		state: forecast.state,
		size: forecast.size,
		notReady: forecast.notReady,
		rate: forecast.rate,
		nextToken: optionalRangeJson(forecast.nextToken),
		queue: forecast.queue,
		toNextState: forecast.toNextState,
		because: forecast.because,
	};
}
