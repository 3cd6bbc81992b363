import {grouped} from '../../core/collections/grouped.ts';
import {unique} from '../../core/collections/unique.ts';
import {workloadKeyOf} from '../../core/model/workloads/workload.ts';
import type {Instant} from '../../core/time/instant.ts';
import {type Cause, isOfLivingNode, shownVerdict} from '../../forecast/podForecast.ts';
import type {PressureForecast} from '../../forecast/pressure/pressureForecast.ts';
import {Range} from '../../forecast/range.ts';
import {allReadyAgain} from '../../forecast/readyAgain.ts';
import type {StuckPod} from '../../forecast/stuckPods.ts';
import type {PodRescue} from '../../forecast/whatif/rescues.ts';
import type {HeldZone, Trigger} from '../../forecast/whatif/triggers.ts';
import {joined, linked, sentence, someOf} from '../../forecast/words.ts';
import type {WorkloadImpact} from '../../impact/workloadImpact.ts';
import {shellWord} from '../../text/pasted.ts';
import {AnswerPage} from '../answerPage.ts';
import {formatWhenAt} from '../countdown.ts';
import {type Column, listOf} from '../tables/kind.ts';
import {pods} from '../tables/podKind.ts';
import {plainTable, Table, type TableOptions} from '../tables/table.ts';
import {formatEndings} from './endings.ts';
import {noneText, pressedTexts, pressureText} from './noRescue.ts';
import {type RescueWay, waysOf, wayText} from './remedyWays.ts';
import {rescueOf} from './rescueCommand.ts';
import {beforeRepair, byWords, deadlineWords, leftWords, timelyUntil, untilOf} from './rescueDeadline.ts';
import {heldTexts, type KeptPod, keptTexts, stuckText, workloadName} from './rescueKept.ts';

/** How and until when pods can be saved, and what would release held ones. */
export type Rescue = Readonly<{
	now: Instant;
	pods: readonly PodRescue[];
	held: readonly HeldZone[];
	/** The requested pods that have no eviction pending. */
	kept?: readonly KeptPod[];
	/** Pods that stay Terminating on dead nodes. */
	stuck?: readonly StuckPod[];
	/** The workloads of these pods, if they were read; they may have been replaced. */
	stuckOf?: readonly WorkloadImpact[];
	/** The nodes under pressure among those of the requested pods, whose kubelets may evict. */
	pressed?: readonly PressureForecast[];
	/** If all pods were requested: the text shown if no eviction is pending. */
	calm?: string;
}>;

const columns: readonly Column<Group>[] = [
	{title: 'NAMESPACE', cell: ({first}) => first.forecast.namespace},
	{title: 'NAME', cell: ({name}) => name},
	{title: 'NODE', drop: 3, cell: ({all}) => listOf(unique(all.map(({forecast}) => forecast.node)))},
	{
		title: 'IN',
		drop: 1,
		// From the first possible eviction to the last.
		cell: ({all}, {countdown}) => {
			const eviction = Range.covering(all.flatMap(({forecast}) => forecast.eviction ?? []));
			return eviction ? countdown(eviction) : '-';
		},
	},
	{title: 'VERDICT', drop: 4, cell: ({first}) => shownVerdict(first.forecast)},
	{title: 'NODE MUST RECOVER BY', cell: ({first}, {now}) => deadlineWords(first, now)},
	{title: 'LEFT', drop: 2, cell: ({first}, {now}) => leftWords(first, now)},
];

const nothingWhileHeld =
	'No pod will be evicted while evictions are stopped. What would change that is below.';

/** Pods that will be evicted, the most urgent first; in the table, the pods of one workload. */
type Group = {readonly name: string; readonly first: PodRescue; readonly all: readonly PodRescue[]};

/** How and until when pods can be saved, one answer per workload; commands are only shown, never run. */
export function formatRescue(
	{now, pods: rescues, held, kept = [], stuck = [], stuckOf = [], pressed = [], calm}: Rescue,
	options: TableOptions = plainTable,
): string {
	const page = new AnswerPage(now, options);
	const groups = groupsOf(rescues, now);
	const triggers = held.flatMap((one) => one.triggers);
	const texts = keptTexts(kept, groups.length > 0, page, triggers);
	// Held pods are described if all pods, or a held one, were requested.
	const isOverdue = ({forecast}: KeptPod) => forecast.verdict === 'Overdue';
	const told = kept.every(isOverdue) || kept.some(({forecast}) => forecast.verdict === 'Held') ? held : [];
	const isAnswered = texts.length > 0;
	const none = told.length > 0 ? page.wrap(nothingWhileHeld) : noneText(kept, stuckOf, pressed, calm, page);
	const table =
		groups.length === 0 ? (isAnswered ? '' : none) : new Table({columns}, options).rows(groups, now);
	const isInFull = ({all}: Group) =>
		all.some(
			({remedies, forecast: {cause, isUntold}}) =>
				remedies.length > 1 || isUntold || isOfLivingNode(cause) || cause?.kind === 'NodeRepair',
		);
	const isFew = rescues.length <= mostInFull;
	// One of many stands for the others.
	const example = isFew ? undefined : rescues.find(({remedies}) => remedies.length > 1);
	const inFull = example
		? [groupText([groupOf([example])], page, triggers, 'For example, to save')]
		: togetherIn(isFew ? groups.filter(isInFull) : []).map((ones) => groupText(ones, page, triggers));
	const more = (example ?? (inFull.length === 0 ? groups[0]?.first : undefined))?.forecast;

	return linked(
		'\n',
		page.simulated,
		table,
		...texts,
		...(groups.length === 0 ? pressedTexts(pressed, page) : []),
		...inFull,
		more ? `Every way to save a pod:\n${page.command(rescueOf(more))}` : '',
		...heldTexts(told, page),
		stuckText(stuck, page, triggers),
	);
}

/** The pods of a workload, apart from each other by their fates; the first must be saved first. */
function groupsOf(rescues: readonly PodRescue[], now: Instant): readonly Group[] {
	const sorted = rescues.toSorted((a, b) => pods.compare(a.forecast, b.forecast));
	const groups = grouped(sorted, (one) => `${workloadKeyOf(one.forecast)} ${fateOf(one, now)}`);
	return groups.map(([, ones]) =>
		groupOf(ones.sort((a, b) => (untilOf(a, now) ?? 0) - (untilOf(b, now) ?? 0))),
	);
}

const groupOf = (all: readonly [PodRescue, ...PodRescue[]]): Group => {
	const [first] = all;
	const {forecast} = first;
	return {name: all.length === 1 ? forecast.name : workloadName(forecast, all.length), first, all};
};

/** Pods whose countdown runs are not shown with those that may wait for long, nor those with time left with those without. */
const fateOf = (rescue: PodRescue, now: Instant) =>
	`${rescue.forecast.verdict} ${timelyUntil(rescue, now) === undefined ? deadlineWords(rescue, now) : ''}`;

/** Up to this many pods are told in full. */
const mostInFull = 3;

/** Groups with the same remedies are described together: an action on a node affects all of its pods. */
function togetherIn(groups: readonly Group[]): readonly (readonly Group[])[] {
	const isByItself = ({first: {forecast, isNodeWell}}: Group) =>
		isNodeWell || isOfLivingNode(forecast.cause) || forecast.cause?.kind === 'NodeRepair';
	const together = groups.filter((one) => !isByItself(one));
	return [...(together.length > 0 ? [together] : []), ...groups.filter(isByItself).map((one) => [one])];
}

/** `pod/cart-1 and statefulset/web (2 pods) in namespace shop`. */
const whatIn = (groups: readonly Group[]) =>
	grouped(groups, ({first}) => first.forecast.namespace)
		.map(([namespace, ones]) => {
			const names = ones.map(({name, all}) => (all.length === 1 ? `pod/${name}` : name));
			return `${joined(names, 'and')} in namespace ${namespace}`;
		})
		.join(', ');

function groupText(
	groups: readonly Group[],
	page: AnswerPage,
	triggers: readonly Trigger[],
	toSave = 'To save',
): string {
	const {now} = page;
	const all = groups.flatMap((one) => one.all);
	const [first] = all;
	if (!first) return '';
	const {cause} = first.forecast;
	const ways: readonly RescueWay[] =
		cause?.kind === 'DeviceTaint'
			? deviceWays(cause)
			: cause && ['NodePressure', 'NodeRemoval', 'NodeShutdown', 'EvictionRequest'].includes(cause.kind)
				? []
				: first.isNodeWell
					? repairWays(first, now)
					: waysOf(all, now, triggers);
	const each = all.length === 1 ? '' : ' for each pod';
	const under = (title: string, told: readonly RescueWay[]) =>
		told.length > 0 ? page.wrap(`${title}:`) + told.map((way) => wayText(way, page)).join('') : '';
	const saving = ways.filter(({isDelay}) => !isDelay);
	const delaying = ways.filter(({isDelay}) => isDelay);
	return [
		...doubtTexts(all, page),
		cause?.kind === 'NodePressure' ? pressureText(first, page) : '',
		under(`${toSave} ${whatIn(groups)}, do one of these${each}`, saving),
		under(`What only delays the eviction${each}`, delaying),
		againText(all, page),
		...new Set(all.map((one) => endsText(one, page))),
	].join('');
}

/** When what replaces the pods is ready, if they are not saved; empty if that is not known. */
function againText(all: readonly PodRescue[], page: AnswerPage): string {
	const again = allReadyAgain(
		all.map(({forecast}) => forecast),
		page.now,
	);
	if (!again?.isKnown) return '';
	const when = again.all ? `is ready ${formatWhenAt(again.all, page.now)}` : 'is not ready by itself';
	return page.wrap(`Else what replaces ${all.length === 1 ? 'it' : 'them'} ${when}.`);
}

/** Why pods may not be evicted at all, before a user acts to save them. */
function doubtTexts(all: readonly PodRescue[], page: AnswerPage): readonly string[] {
	const unsure = all.filter(
		({forecast: {verdict, cause}}) => verdict === 'Unsure' && cause?.kind === 'Taint',
	);
	const reasons = grouped(unsure, ({forecast}) => forecast.because.at(-1) ?? '');
	return reasons.map(([reason, ones]) => {
		const names = someOf(ones.map(({forecast}) => `pod/${forecast.name}`));
		return page.wrap(`Not sure: ${names} may not be evicted at all. ${sentence(reason)}`);
	});
}

/**
 * The endings without intervention, if there are more than the countdown of the table. Manual deletions are omitted: the user
 * wants to save the pod.
 */
function endsText({endings, forecast}: PodRescue, page: AnswerPage): string {
	const coming = endings.filter(({needs}) => needs === null);
	if (coming.every(({cause}) => cause === 'Taint' || cause === 'NodeEviction')) return '';
	return `What will delete it, soonest first:\n${formatEndings(coming, forecast.node, page)}`;
}

/** A claim keeps its tolerations from its allocation, so only the taint can be removed. */
const deviceWays = ({device, driver, pool, taint}: Cause): readonly RescueWay[] => [
	{
		what: `the taint ${taint} of device ${device} (${driver}, pool ${pool}) is removed, by its driver or with its DeviceTaintRule`,
		commands: [],
	},
];

/** A Ready node is repaired for a condition only while that lasts. */
function repairWays({forecast: {node, eviction, cause}}: PodRescue, now: Instant) {
	const until = beforeRepair(eviction, now);
	if (until === undefined) return [];
	const what = `${byWords(until, now)}: mend what is wrong with its node; else ${cause?.by} replaces it`;
	return [{what, commands: [`kubectl evictwatch explain ${shellWord(`node/${node}`)}`]}];
}
