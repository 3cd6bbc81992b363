import type {Instant} from '../../core/time/instant.ts';
import {inTimeZone, timeBeside} from '../../dates/format.ts';
import type {TimeZone} from '../../dates/timeZone.ts';
import {ago} from '../../forecast/words.ts';
import type {Scene, SceneGap} from '../scene/scene.ts';
import type {DashboardTable} from './table.ts';

type Trouble = {readonly reason: string; readonly message: string};

/** Everything that cannot be observed or was missed. */
export const problems: DashboardTable<Trouble> = {
	view: 'problems',
	rows: ({scene, forecast, now, timeZone}) => [
		...lostLink(scene, now),
		...forecast.problems.map((one) => ({...one, message: inTimeZone(one.message, now, timeZone)})),
		...scene.gaps.toReversed().map((gap) => gapTrouble(gap, now, timeZone)),
	],
	columns: [
		{title: 'REASON', cell: ({reason}) => reason, drawn: {least: 10, most: 34, tone: 'warn'}},
		{title: 'WHAT IT MEANS', cell: ({message}) => message, drawn: {least: 20, most: 400}},
	],
	keyOf: ({reason, message}) => `${reason} ${message}`,
	nameOf: ({reason}) => reason,
	textOf: ({reason, message}) => `${reason} ${message}`,
	sentencesOf: ({reason, message}) => [reason, `${message}.`],
	empty: () => 'Nothing is in the way: all that a forecast needs can be read.',
};

const lostLink = ({link}: Scene, now: number): readonly Trouble[] =>
	link.state === 'lost'
		? [
				{
					reason: 'Disconnected',
					message: `no word from the API server for ${ago(link.since, now)}: ${link.reason}`,
				},
			]
		: [];

const gapTrouble = ({from, to, reason}: SceneGap, now: Instant, zone: TimeZone): Trouble => ({
	reason: 'Gap',
	message: `nothing was heard from ${timeBeside(from, now, zone)} to ${timeBeside(to, now, zone)} ${zone} (${reason}): what came and went in between was missed`,
});
