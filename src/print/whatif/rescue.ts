import type {Instant} from '../../core/time/instant.ts';
import {inTimeZone, timeAlone} from '../../dates/format.ts';
import {type TimeZone, timeZoneWords, utc} from '../../dates/timeZone.ts';
import {formatTimestamp} from '../../dates/utc.ts';
import type {Forecast} from '../../forecast/forecast.ts';
import type {Range} from '../../forecast/range.ts';
import type {Remedy} from '../../forecast/whatif/remedy.ts';
import type {PodRescue} from '../../forecast/whatif/rescues.ts';
import type {HeldZone} from '../../forecast/whatif/triggers.ts';
import {escapeForCell} from '../../text/escape.ts';
import type {RescueJson} from '../contract/rescue.ts';
import {formatCountdown, formatDuration, formatWhen} from '../countdown.ts';
import {apiVersion, metadataJson} from '../json/json.ts';
import {optionalRangeJson} from '../json/rangeJson.ts';
import {TabWriter} from '../tables/tabWriter.ts';
import {changeWords} from './changeWords.ts';
import {endingJson, formatEndings} from './endings.ts';
import {rescueCommand} from './rescueCommand.ts';

/** Until when pods can be saved and how, and what would release those that are held. */
export type Rescue = {
	readonly now: Instant;
	readonly pods: readonly PodRescue[];
	readonly held: readonly HeldZone[];
};

const headers = ['NAMESPACE', 'NAME', 'NODE', 'GOES IN', 'NODE BACK UNTIL', 'LEFT'];

/** Until when each pod can be saved, as text; what to type for each is only shown. */
export function formatRescue({now, pods, held}: Rescue, zone: TimeZone = utc): string {
	const sorted = pods.toSorted(
		(a, b) => (a.forecast.eviction?.earliest ?? 0) - (b.forecast.eviction?.earliest ?? 0),
	);
	const table =
		sorted.length === 0
			? 'No eviction is coming that could be prevented.\n'
			: new TabWriter().write([headers, ...sorted.map((one) => row(one, now, zone))]);
	const isInFull = ({remedies, forecast: {cause}}: PodRescue) =>
		remedies.length > 1 || (sorted.length <= 3 && cause?.kind === 'NodePressure');
	const inFull = sorted.filter(isInFull).map((one) => details(one, now, zone));
	return [
		`Seen at ${timeAlone(now, now, zone)}; all times are ${timeZoneWords(now, zone)}. Nothing is done: these are simulations.\n`,
		table,
		...inFull,
		...held.map((one) => heldText(one, now, zone)),
	].join('\n');
}

const untilOf = ({remedies}: PodRescue): Instant | undefined =>
	remedies.find(({kind}) => kind === 'NodeBack')?.until;

function row(rescue: PodRescue, now: Instant, zone: TimeZone): readonly string[] {
	const {namespace, name, node, eviction} = rescue.forecast;
	const until = untilOf(rescue);
	return [
		...[namespace, name, node].map(escapeForCell),
		eviction ? formatCountdown(eviction, now) : '-',
		untilWords(rescue, now, zone),
		until === undefined ? '-' : formatDuration(until - now),
	];
}

function untilWords(rescue: PodRescue, now: Instant, zone: TimeZone): string {
	const until = untilOf(rescue);
	if (until !== undefined) return timeAlone(until, now, zone);
	if (rescue.forecast.cause?.kind === 'NodePressure') return 'no use: its own kubelet evicts it';
	return rescue.remedies.length === 0 ? 'not played: ask for it by name' : 'too late to be sure';
}

function details({forecast, pod, remedies, endings}: PodRescue, now: Instant, zone: TimeZone): string {
	const {namespace, name} = forecast;
	const lines = remedies.map((remedy) => {
		const command = pod ? rescueCommand(remedy, pod) : '';
		const until = remedy.until === undefined ? '' : `, until ${timeAlone(remedy.until, now, zone)}`;
		return `  * ${titles[remedy.kind]}: ${effectWords(remedy, now)}${until}\n${command === '' ? '' : `      ${command}\n`}`;
	});
	const ends =
		endings.length === 0
			? ''
			: `What may end it, whoever gets there first at the top:\n${formatEndings(endings, forecast.node, now)}`;
	const help =
		lines.length > 0
			? `What would help pod/${name} in namespace ${namespace}:\n`
			: `Pod/${name} in namespace ${namespace}. `;
	return `${help}${lines.join('')}${ends}`;
}

const titles: Readonly<Record<Remedy['kind'], string>> = {
	NodeBack: 'its kubelet back',
	Tolerate: 'a toleration without seconds',
	LongerToleration: 'a longer tolerationSeconds',
	Untaint: 'the taint taken off',
	StopControllers: 'no controller manager, which stops all of its other controllers as well',
};

function effectWords({effect, eviction}: Remedy, now: Instant): string {
	if (effect === 'Saves') return 'saves it';
	if (effect === 'Delays' && eviction) return `it goes ${formatWhen(eviction, now)} instead`;
	return 'changes nothing for sure';
}

function heldText({zone, by, triggers}: HeldZone, now: Instant, timeZone: TimeZone): string {
	const rows = triggers.map(({what, first, added, avoided}) => [
		`  ${what}`,
		first ? `first pod ${formatCountdown(first, now)} later` : 'no eviction',
		`${added} more go${avoided > 0 ? `, ${avoided} fewer` : ''}`,
	]);
	return `Held in zone ${zone}: ${inTimeZone(by, now, timeZone)}. What would change it:\n${new TabWriter().write(rows)}`;
}

/** The same for programs. */
export const rescueJson = ({now, pods, held}: Rescue, forecast: Forecast): RescueJson => ({
	apiVersion,
	kind: 'Rescue',
	metadata: metadataJson({...forecast, observedAt: now}),
	pods: pods.map(({forecast: {namespace, name, uid, node, eviction}, pod, remedies, endings}) => ({
		metadata: {namespace, name, uid},
		node,
		eviction: optionalRangeJson(eviction),
		endings: endings.map(endingJson),
		remedies: remedies.map((remedy) => ({
			kind: remedy.kind,
			effect: remedy.effect,
			until: remedy.until === undefined ? null : formatTimestamp(remedy.until),
			eviction: optionalRangeJson(remedy.eviction),
			what: changeWords(remedy.change),
			command: pod ? rescueCommand(remedy, pod) : '',
		})),
	})),
	held: held.map(({zone, by, triggers}) => ({
		zone,
		by,
		triggers: triggers.map(({what, first, added, avoided}) => ({
			what,
			first: optionalRangeJson(first satisfies Range | null),
			added,
			avoided,
		})),
	})),
});
