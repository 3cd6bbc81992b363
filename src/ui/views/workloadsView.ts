import {compareNames} from '../../core/collections/compareNames.ts';
import {workloadKeyOf} from '../../core/model/workloads/workload.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {WorkloadImpact} from '../../impact/workloadImpact.ts';
import {evictingWords} from '../../print/workloads.ts';
import type {ShownForecast} from '../scene/digest.ts';
import type {Scene} from '../scene/scene.ts';
import {countdown} from '../scene/spans.ts';
import {compareWorkloads, type WorkloadGroup} from '../scene/workloads.ts';
import {blank, type Line, line, paragraph, span, textLine} from '../theme/line.ts';
import {countCell, inCell, rangeCell} from './cells.ts';
import type {CellContext, CountedBy, DashboardTable, TableColumn} from './table.ts';

/** A static pod's workload is its node. */
const shownName = ({namespace, kind, name}: WorkloadGroup, forecast: ShownForecast): string =>
	`${namespace}/${kind}/${kind === 'Node' ? forecast.digest.names.shortNode(name) : name}`;

// The pods of healthy nodes may not be read, so there may be more.
const atLeast = (count: number, {isPartial}: CountedBy): string => `${count}${isPartial ? '+' : ''}`;

/** The impact on a workload, if its objects were read: desired and ready pods. */
const impactOf = ({key}: WorkloadGroup, {impacts}: CountedBy) => impacts?.of(key);

/** Whether no ready pod is left; for a workload that was not read, whether no pod is left, provided that all pods were read. */
function reachesZero(one: WorkloadGroup, scene: Scene): boolean {
	const impact = impactOf(one, scene);
	return impact?.lowest.ready == null ? one.after === 0 && !scene.isPartial : impact.reachesZero === true;
}

/** Whether any of its pods is deleted, or will be: of others nothing follows. */
const isLosing = ({coming, held, terminating}: WorkloadGroup): boolean => coming + held + terminating > 0;

const columns: readonly TableColumn<WorkloadGroup>[] = [
	{
		...{title: 'WORKLOAD', least: 30, most: 70, drop: 0, isName: true, sortKey: 'N'},
		compare: (a, b) => compareNames(a.key, b.key),
		measure: (one, {forecast}) => shownName(one, forecast),
	},
	{
		...{title: 'READY', least: 7, drop: 1, isRight: true},
		measure: (one, {scene}) => {
			const impact = impactOf(one, scene);
			return impact?.readyNow == null
				? atLeast(one.replicas, scene)
				: `${impact.readyNow}/${impact.desired ?? '?'}`;
		},
	},
	{
		...{title: 'LOWEST', width: 6, drop: 0, isRight: true, sortKey: 'A'},
		compare: (a, b) => a.after - b.after || compareWorkloads(a, b),
		cell: (one, {scene}) => {
			const impact = impactOf(one, scene);
			const {ready} = impact?.lowest ?? {ready: null};
			const [before, left] =
				impact && ready !== null ? [impact.readyNow ?? ready, ready] : [one.replicas, one.after];
			const text = ready === null ? atLeast(left, scene) : String(left);
			return span(text, left === 0 ? 'bad' : left >= before ? 'good' : 'likely');
		},
	},
	{
		...{title: 'FIRST', width: 12, drop: 0, isTimed: true, sortKey: 'T', compare: compareWorkloads},
		cell: ({first, held}, {now}) =>
			first || held === 0 ? rangeCell(first, now, 'certain') : span('held', 'held'),
	},
	{
		...{title: 'EVICTING', most: 15, drop: 2, isRight: true, sortKey: 'P', isMostFirst: true},
		compare: (a, b) => b.coming - a.coming || compareWorkloads(a, b),
		measure: ({coming, held}) => evictingWords(coming, held),
		cell: (one) =>
			one.held === 0
				? countCell(one.coming, 'certain')
				: span(evictingWords(one.coming, one.held), one.coming > 0 ? 'certain' : 'held'),
	},
	{
		...{title: 'STUCK', width: 7, drop: 4, isRight: true},
		isFilled: ({terminating}) => terminating > 0,
		cell: ({terminating}) => countCell(terminating, 'warn'),
	},
	{
		...{title: 'THEN', least: 10, most: 40, drop: 3},
		measure: ({afterwards}) => afterwards,
		cell: (one) => (isLosing(one) ? span(one.afterwards, 'dim') : undefined),
	},
];

/** Pods grouped by workload, those that are at zero or reach it first: how many there are, and how many are left before replacements. */
export const workloads: DashboardTable<WorkloadGroup> = {
	view: 'workloads',
	rows: ({forecast, scene}) => {
		const {workloads} = forecast.digest;
		const reaching = new Set(workloads.filter((one) => reachesZero(one, scene)));
		return [...reaching, ...workloads.filter((one) => !reaching.has(one))];
	},
	columns,
	keyOf: ({key}) => key,
	nameOf: ({name}) => name,
	textOf: ({namespace, kind, name}) => `${namespace}/${kind}/${name}`,
	namespaceOf: ({namespace}) => namespace,
	sentencesOf: tellWorkload,
	details: (key, context, width) => {
		const one = context.forecast.digest.workloads.find((other) => other.key === key);
		const sentences = one ? tellWorkload(one, context) : ['It is gone. Press esc.'];
		return workloadDetails(key, sentences, context, width);
	},
	empty: () => 'There are no pods.',
};

function tellWorkload(one: WorkloadGroup, {scene, now}: CellContext): readonly string[] {
	const {namespace, kind, name, coming, held, terminating, afterwards} = one;
	const impact = impactOf(one, scene);
	const isCounted = impact?.readyNow != null;
	return [
		...(isCounted
			? [`${kind} ${name} in namespace ${namespace}: ${readyWords(impact, coming, now)}`]
			: [countedWords(one, scene), evictedWords(coming)]),
		...(held === 1 ? ['1 is held: evicted once evictions resume.'] : []),
		...(held > 1 ? [`${held} are held: evicted once evictions resume.`] : []),
		...(terminating > 0
			? [
					`${terminating} more ${terminating === 1 ? 'is' : 'are'} Terminating: on a silent node that lasts until it recovers.`,
				]
			: []),
		...(isLosing(one) ? [`After each eviction: ${afterwards}.`] : []),
		...(isCounted || !scene.isPartial
			? []
			: ['Pods of nodes that are well are not read, and not counted here; --all reads them, too.']),
	];
}

const evictedWords = (coming: number): string =>
	coming === 0
		? 'None of its pods is predicted to be evicted.'
		: `${coming} of its pods ${coming === 1 ? 'is' : 'are'} predicted to be evicted.`;

/** How many are ready now and at the lowest, and how many are evicted; if no ready pod is lost, the evicted ones are not ready. */
function readyWords(
	{readyNow, desired, lowest: {ready, at}}: WorkloadImpact,
	coming: number,
	now: Instant,
): string {
	const counts = `${readyNow} of ${desired ?? '?'} pods are ready`;
	if (ready === null) return `${counts}; how many stay so is not known. ${evictedWords(coming)}`;
	if (at === null) {
		const stay = readyNow === 0 ? '' : ' and stay so';
		const evicted =
			coming === 0 ? 'none of its pods is' : `${coming} not ready ${coming === 1 ? 'is' : 'are'}`;
		return `${counts}${stay}; ${evicted} predicted to be evicted.`;
	}
	const left = countdown(at, now);
	return `${counts}. The fewest that stay ready are ${ready}, ${left === 'now' ? left : `in ${left}`}, before anything is replaced. ${evictedWords(coming)}`;
}

/** For a workload that was not read: what its pods show, as far as these are read. */
function countedWords(
	{namespace, kind, name, replicas, after, coming}: WorkloadGroup,
	{isPartial}: Scene,
): string {
	const least = isPartial ? 'at least ' : '';
	const left = coming === 0 ? '' : `; ${least}${after} are left before anything is replaced`;
	return `${kind} ${name} in namespace ${namespace} has ${least}${replicas} ${replicas === 1 ? 'pod' : 'pods'} that ${replicas === 1 ? 'is' : 'are'} not Terminating${left}.`;
}

/** As wide as the column IN of the pods. */
const inWidth = 13;

const mostPods = 100;

/** What is said of a workload, and which of its pods are in trouble, in the order of the pods. */
function workloadDetails(
	key: string,
	sentences: readonly string[],
	{forecast, now, glyphs}: CellContext,
	width: number,
): readonly Line[] {
	const {names, pods} = forecast.digest;
	const own = pods.troubled.filter((pod) => workloadKeyOf(pod) === key);
	const rows = own.slice(0, mostPods).map((pod) => {
		const {text, tone} = inCell(pod, now, glyphs);
		const node = names.shortNode(pod.node);
		return line(span(` ${text.padEnd(inWidth)}  `, tone), span(pod.name), span(`  ${node}`, 'dim'));
	});
	const more = own.length - rows.length;
	return [
		...sentences.flatMap((text) => [...paragraph(text, width), blank]),
		...(rows.length > 0 ? [textLine(' ITS PODS IN TROUBLE', 'heading')] : []),
		...rows,
		...(more > 0 ? [textLine(` and ${more} more`, 'dim')] : []),
	];
}
