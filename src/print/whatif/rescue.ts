import {workloadKeyOf} from '../../core/model/workloads/workload.ts';
import type {Instant} from '../../core/time/instant.ts';
import {inTimeZone} from '../../dates/format.ts';
import {type TimeZone, utc} from '../../dates/timeZone.ts';
import {type Cause, isOfLivingNode, type PodForecast, shownVerdict} from '../../forecast/podForecast.ts';
import type {PressureForecast} from '../../forecast/pressure/pressureForecast.ts';
import {Range} from '../../forecast/range.ts';
import type {PodRescue} from '../../forecast/whatif/rescues.ts';
import type {HeldZone} from '../../forecast/whatif/triggers.ts';
import {joined, sentence, someOf} from '../../forecast/words.ts';
import type {WorkloadImpact} from '../../impact/workloadImpact.ts';
import {type Connection, pasted, shellWord, usualConnection} from '../../text/pasted.ts';
import {formatCountdown} from '../countdown.ts';
import {simulatedHead} from '../seenAt.ts';
import type {Column} from '../tables/kind.ts';
import {pods} from '../tables/podKind.ts';
import {plainTable, Table, type TableOptions} from '../tables/table.ts';
import {pressureMightFollow} from '../whyNotYet.ts';
import {wrap} from '../wrap.ts';
import {formatEndings} from './endings.ts';
import {heldTexts} from './heldText.ts';
import {noneText} from './noRescue.ts';
import {noReliefText, pressedTexts, pressureUntil, pressureWays} from './pressureRescue.ts';
import {waysOf} from './remedyWays.ts';
import {beforeRepair, byWords, deadlineWords, leftWords, timelyUntil, untilOf} from './rescueDeadline.ts';
import {isOnPressed, type KeptPod, keptTexts, type ShownIn, stuckText, workloadName} from './rescueKept.ts';
import {type RescueWay, wayText} from './rescueWay.ts';

/** How and until when pods can be saved, and what would release held ones. */
export type Rescue = {
	readonly now: Instant;
	readonly pods: readonly PodRescue[];
	readonly held: readonly HeldZone[];
	/** The requested pods that have no eviction pending. */
	readonly kept?: readonly KeptPod[];
	/** Pods that stay Terminating on dead nodes. */
	readonly stuck?: readonly PodForecast[];
	/** The workloads of these pods, if they were read; they may have been replaced. */
	readonly stuckOf?: readonly WorkloadImpact[];
	/** The nodes under pressure among those of the requested pods, whose kubelets may evict. */
	readonly pressed?: readonly PressureForecast[];
	/** If all pods were requested: the text shown if no eviction is pending. */
	readonly calm?: string;
};

const columns: readonly Column<Group>[] = [
	{title: 'NAMESPACE', cell: ({first}) => first.forecast.namespace},
	{title: 'NAME', cell: ({name}) => name},
	{title: 'NODE', drop: 3, cell: ({all}) => listed(all.map(({forecast}) => forecast.node))},
	{
		title: 'IN',
		drop: 1,
		cell: ({all}, now) => {
			const eviction = evictionsOf(all);
			return eviction ? formatCountdown(eviction, now) : '-';
		},
	},
	{
		title: 'VERDICT',
		drop: 4,
		cell: ({first}) => shownVerdict(first.forecast),
	},
	{
		title: 'NODE MUST RECOVER BY',
		cell: ({first}, now) => deadlineWords(first, now),
	},
	{
		title: 'LEFT',
		drop: 2,
		cell: ({first}, now) => leftWords(first, now),
	},
];

const nothingWhileHeld =
	'No pod will be evicted while evictions are stopped. What would change that is below.';

/** Pods that will be evicted, the most urgent first; in the table, the pods of one workload. */
type Group = {readonly name: string; readonly first: PodRescue; readonly all: readonly PodRescue[]};

/** How and until when pods can be saved, one answer per workload; commands are only shown, never run. */
export function formatRescue(
	{now, pods: rescues, held, kept = [], stuck = [], stuckOf = [], pressed = [], calm}: Rescue,
	options: TableOptions = plainTable,
	connection: Connection = usualConnection,
): string {
	const {timeZone: zone = utc} = options;
	const groups = groupsOf(rescues, now);
	const triggers = held.flatMap((one) => one.triggers);
	const texts = keptTexts(kept, groups.length > 0, {now, zone, connection, triggers});
	// Held pods are described if all pods, or a held one, were requested.
	const told = kept.length === 0 || kept.some(({forecast}) => forecast.verdict === 'Held') ? held : [];
	const isAnswered = texts.length > 0;
	const none = told.length > 0 ? wrap(nothingWhileHeld, '') : noneText(kept, stuckOf, pressed, calm);
	const table =
		groups.length === 0 ? (isAnswered ? '' : none) : new Table({columns}, options).rows(groups, now);
	const shown = {now, zone, connection, triggers};
	const isInFull = ({all}: Group) =>
		all.some(
			({remedies, forecast: {cause}}) =>
				remedies.length > 1 || isOfLivingNode(cause) || cause?.kind === 'NodeRepair',
		);
	const isFew = rescues.length <= mostInFull;
	// One of many stands for the others.
	const example = isFew ? undefined : rescues.find(({remedies}) => remedies.length > 1);
	const inFull = example
		? [
				groupText(
					[{name: example.forecast.name, first: example, all: [example]}],
					shown,
					'For example, to save',
				),
			]
		: togetherIn(isFew ? groups.filter(isInFull) : []).map((ones) => groupText(ones, shown));
	const more = example ?? (inFull.length === 0 ? groups[0]?.first : undefined);
	return [
		simulatedHead(now, zone),
		...[table].filter((text) => text !== ''),
		...texts,
		...(groups.length === 0 ? keptOnPressed(kept, connection) : []),
		...(groups.length === 0 && !kept.some(isOnPressed) ? pressedTexts(pressed, connection) : []),
		...inFull,
		...(more
			? [
					`Every way to save a pod:\n  ${pasted(`kubectl evictwatch rescue ${commandName(more)}`, connection)}\n`,
				]
			: []),
		...heldTexts(told, now, zone),
		...[stuckText(stuck, {triggers, now, connection})].filter((text) => text !== ''),
	].join('\n');
}

/** How to save the first of the pods that kubelets may evict later. */
function keptOnPressed(kept: readonly KeptPod[], connection: Connection): readonly string[] {
	const first = kept.find(isOnPressed);
	if (!first) return [];
	const ways = pressureWays(first).map((way) => wayText(way, connection));
	const {pressure} = first;
	const yet = pressure?.evictions.length === 0 ? wrap(`${pressureMightFollow([pressure])}.`, '') : '';
	const title = wrap(`To be sure that pod/${first.forecast.name} stays, do one of these:`, '');
	return [yet + title + ways.join('')];
}

/** The pods of a workload, apart from each other by their fates; the first must be saved first. */
function groupsOf(rescues: readonly PodRescue[], now: Instant): readonly Group[] {
	const sorted = rescues.toSorted((a, b) => pods.compare(a.forecast, b.forecast));
	const groups = Map.groupBy(sorted, (one) => `${workloadKeyOf(one.forecast)} ${fateOf(one, now)}`);
	return [...groups.values()].flatMap((ones) => {
		const all = ones.toSorted((a, b) => (untilOf(a, now) ?? 0) - (untilOf(b, now) ?? 0));
		const [first] = all;
		if (!first) return [];
		const name = all.length === 1 ? first.forecast.name : workloadName(first.forecast, all.length);
		return [{name, first, all}];
	});
}

/** Pods whose countdown runs are not shown with those that may wait for long, nor those with time left with those without. */
const fateOf = (rescue: PodRescue, now: Instant): string =>
	`${rescue.forecast.verdict} ${timelyUntil(rescue, now) === undefined ? deadlineWords(rescue, now) : ''}`;

/** From the first possible eviction of some pods to the last. */
const evictionsOf = (pods: readonly PodRescue[]): Range | null =>
	Range.covering(pods.flatMap(({forecast}) => forecast.eviction ?? []));

const commandName = ({forecast: {name, namespace}}: PodRescue): string =>
	`${shellWord(name)} -n ${shellWord(namespace)}`;

/** Up to this many pods are told in full. */
const mostInFull = 3;
const mostListed = 3;

function listed(names: readonly string[]): string {
	const all = [...new Set(names)];
	const more = all.length - mostListed;
	return `${all.slice(0, mostListed).join(',')}${more > 0 ? ` + ${more} more...` : ''}`;
}

/** Groups with the same remedies are described together: an action on a node affects all of its pods. */
function togetherIn(groups: readonly Group[]): readonly (readonly Group[])[] {
	const isByItself = ({first: {forecast, isNodeWell}}: Group) =>
		isNodeWell || isOfLivingNode(forecast.cause) || forecast.cause?.kind === 'NodeRepair';
	const together = groups.filter((one) => !isByItself(one));
	return [...(together.length > 0 ? [together] : []), ...groups.filter(isByItself).map((one) => [one])];
}

/** `pod/cart-1 and statefulset/web (2 pods) in namespace shop`. */
const whatIn = (groups: readonly Group[]): string =>
	[...Map.groupBy(groups, ({first}) => first.forecast.namespace)]
		.map(([namespace, ones]) => {
			const names = ones.map(({name, all}) => (all.length === 1 ? `pod/${name}` : name));
			return `${joined(names, 'and')} in namespace ${namespace}`;
		})
		.join(', ');

function groupText(groups: readonly Group[], shown: ShownIn, toSave = 'To save'): string {
	const {now, zone, connection} = shown;
	const all = groups.flatMap((one) => one.all);
	const [first] = all;
	if (!first) return '';
	const {cause} = first.forecast;
	const ways: readonly RescueWay[] =
		cause?.kind === 'DeviceTaint'
			? deviceWays(cause)
			: cause?.kind === 'NodePressure'
				? pressureWays(first)
				: cause?.kind === 'NodeShutdown'
					? []
					: first.isNodeWell
						? repairWays(first, now, zone)
						: waysOf(all, shown);
	const each = all.length === 1 ? '' : ' for each pod';
	const under = (title: string, told: readonly RescueWay[]) =>
		told.length > 0 ? `${wrap(`${title}:`, '')}${told.map((way) => wayText(way, connection)).join('')}` : '';
	const saving = ways.filter(({isDelay}) => !isDelay);
	const delaying = ways.filter(({isDelay}) => isDelay);
	return [
		...doubtTexts(all, now, zone),
		...(cause?.kind === 'NodePressure'
			? [pressureUntil(first.forecast, first.pressure, now, zone), noReliefText(first, connection)]
			: []),
		under(
			`${toSave} ${whatIn(groups)}${cause?.kind === 'NodePressure' ? ' before that' : ''}, do one of these${each}`,
			saving,
		),
		under(`What only delays the eviction${all.length === 1 ? '' : each}`, delaying),
		...new Set(all.map((one) => endsText(one, now, connection))),
	].join('');
}

/** Why pods may not be evicted at all, before a user acts to save them. */
function doubtTexts(all: readonly PodRescue[], now: Instant, zone: TimeZone): readonly string[] {
	const unsure = all.filter(
		({forecast: {verdict, cause}}) => verdict === 'Unsure' && cause?.kind === 'Taint',
	);
	const reasons = Map.groupBy(unsure, ({forecast}) => inTimeZone(forecast.because.at(-1) ?? '', now, zone));
	return [...reasons].map(([reason, ones]) => {
		const names = someOf(
			ones.map(({forecast}) => `pod/${forecast.name}`),
			mostListed,
		);
		return wrap(`Not sure: ${names} may not be evicted at all. ${sentence(reason)}`, '');
	});
}

/**
 * The endings without intervention, if there are more than the countdown of the table. Manual deletions are omitted: the user
 * wants to save the pod.
 */
function endsText({endings, forecast}: PodRescue, now: Instant, connection: Connection): string {
	const coming = endings.filter(({needs}) => needs === null);
	if (coming.every(({cause}) => cause === 'Taint' || cause === 'NodeEviction')) return '';
	return `What will delete it, soonest first:\n${formatEndings(coming, forecast.node, now, connection)}`;
}

/** A claim keeps its tolerations from its allocation, so only the taint can be removed. */
const deviceWays = ({device, driver, pool, taint}: Cause): readonly RescueWay[] => [
	{
		what: `the taint ${taint} of device ${device} (${driver}, pool ${pool}) is removed, by its driver or with its DeviceTaintRule`,
		commands: [],
	},
];

/** A Ready node is repaired for a condition only while that lasts. */
function repairWays({forecast: {node, eviction, cause}}: PodRescue, now: Instant, zone: TimeZone) {
	const until = beforeRepair(eviction, now);
	if (until === undefined) return [];
	const what = `${byWords(until, now, zone)}: mend what is wrong with its node; else ${cause?.by} replaces it`;
	return [{what, commands: [`kubectl evictwatch explain ${shellWord(`node/${node}`)}`]}];
}
