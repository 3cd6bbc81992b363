import {hidesNodes, hidesPods, type Problem} from '../../src/core/model/problem.ts';
import type {Related} from '../../src/core/model/workloads/related.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {ObservedDeletion} from '../../src/forecast/ledger/observedDeletion.ts';
import type {NodeForecast} from '../../src/forecast/nodeForecast.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import type {ZoneForecast} from '../../src/forecast/zoneForecast.ts';
import type {Seen} from '../../src/print/json/json.ts';
import {podVerdicts} from '../../src/print/legend.ts';
import {deletions} from '../../src/print/tables/deletionKind.ts';
import type {Kind} from '../../src/print/tables/kind.ts';
import {nodes, nodeVerdicts} from '../../src/print/tables/nodeKind.ts';
import {pods} from '../../src/print/tables/podKind.ts';
import {zones} from '../../src/print/tables/zoneKind.ts';
import {mightFollow, noneExpected, unaskedWords} from '../../src/print/whyNotYet.ts';
import {UserError} from '../../src/text/userError.ts';
import type {CommandName} from '../args/commandSet.ts';
import type {Options} from '../args/options.ts';
import type {NamedTarget} from '../args/targets.ts';
import {belongsTo} from '../sources/owners.ts';
import {meantByPod} from './didYouMean.ts';
import {elsewhereText, evictedElsewhere} from './elsewhere.ts';
import {exitCodeOf} from './exitCode.ts';

/** What was seen, with its pods, nodes and deletions where it has any. */
export type SeenPods = Seen &
	Partial<Pick<Forecast, 'pods' | 'nodes' | 'pressure'>> & {
		readonly happenings?: readonly ObservedDeletion[];
	};

/** How one kind is chosen from by names and selectors, and shown. */
export type Listed<Item> = {
	readonly kind: Kind<Item>;
	/** The command, and the word of messages. */
	readonly plural: string;
	/** Absent where the kind has no namespaces. */
	readonly namespaceOf?: (item: Item) => string;
	readonly labelsOf: (item: Item) => Readonly<Record<string, string>>;
	readonly fieldsOf: (item: Item) => Readonly<Record<string, string>>;
	/** Of pods: whether one belongs to what is named. */
	readonly belongsTo?: (item: Item, owner: NamedTarget, related: Related) => boolean;
	/** What `--verdict` chooses by. */
	readonly verdictOf: (item: Item) => string;
	readonly verdicts: readonly string[];
	/** Whether a table only counts it, unless it is asked for. */
	readonly isFolded: (item: Item) => boolean;
	/** Whether it is left out unless asked for. */
	readonly isWell: (item: Item) => boolean;
	/** What is said where nothing is left to show. @param whose ` of web-0`, where some are named */
	readonly whenAllIsWell: (whose: string) => string;
	/** Whether a problem keeps items from being seen: without any, all is not known to be well. */
	readonly isHiddenBy: (problem: Problem) => boolean;
	/** Whether there may be nothing of a name: pods that were not deleted have no deletion. */
	readonly mayLackNames?: boolean;
	/** What was perhaps meant by a name that nothing has; empty where nothing is like it. */
	readonly meantBy?: (name: string, seen: SeenPods, namespace: string | undefined) => string;
	/** What there is of it in other namespaces, of the names that are asked for; empty where nothing is. */
	readonly elsewhere?: (seen: SeenPods, namespace: string, names: readonly string[]) => string;
	/** What may follow of the nodes though nothing is listed yet; empty where nothing may. */
	readonly whatMayFollow?: (nodes: Forecast['nodes'], where?: string) => string;
	/** What was not asked, so that all need not be well; empty where all was. */
	readonly whatIsUnasked?: (seen: Pick<Forecast, 'nodes' | 'pressure'>) => string;
};

/** The same, and where it stands in what was seen. */
export type Listing<Item, From extends Seen = Forecast> = Listed<Item> & {
	readonly itemsOf: (seen: From) => readonly Item[];
	/** What `--exit-code` says, where these items were chosen. */
	readonly exitCodeOf: (items: readonly Item[], seen: From) => number;
};

/** @throws UserError where what is asked for is made of nodes, and they may not be read. */
export function requireNodes({namespaceOf}: Listed<never>, problems: readonly Problem[]): void {
	const refusal = problems.find(hidesNodes);
	if (!refusal || namespaceOf) return;
	throw new UserError(
		refusal.message,
		'ask for a role that may get, list and watch nodes; with one namespace, try `kubectl evictwatch pods -n NAMESPACE`',
	);
}

/** What kubectl says where there is nothing at all. */
export const nothing = 'No resources found';

/** What goes for kinds of which every item is shown. */
export const plainListing = {
	labelsOf: () => ({}),
	isFolded: () => false,
	isWell: () => false,
	whenAllIsWell: () => nothing,
};

const podFields = ({namespace, name, node}: Pick<PodForecast, 'namespace' | 'name' | 'node'>) => ({
	'metadata.namespace': namespace,
	'metadata.name': name,
	'spec.nodeName': node,
});

export const podListing: Listing<PodForecast> = {
	kind: pods,
	plural: 'pods',
	itemsOf: ({pods}) => pods,
	namespaceOf: ({namespace}) => namespace,
	labelsOf: ({labels}) => labels,
	fieldsOf: podFields,
	belongsTo,
	verdictOf: ({verdict}) => verdict,
	verdicts: Object.keys(podVerdicts),
	isFolded: ({verdict, owner}) => verdict === 'Stays' && owner?.kind === 'DaemonSet',
	isWell: ({verdict}) => verdict === 'Safe',
	whenAllIsWell: () => noneExpected,
	isHiddenBy: hidesPods,
	meantBy: (name, {pods = []}, namespace) => {
		const meant = meantByPod(name, pods, namespace);
		return meant ? `; ${meant.what} (${meant.hint})` : '';
	},
	elsewhere: ({pods = []}, namespace) => elsewhereText(pods, namespace),
	whatMayFollow: mightFollow,
	whatIsUnasked: unaskedWords,
	exitCodeOf: (items, {problems}) => exitCodeOf(items, problems),
};

export const nodeListing: Listing<NodeForecast> = {
	...plainListing,
	kind: nodes,
	plural: 'nodes',
	itemsOf: ({nodes}) => nodes,
	labelsOf: ({labels}) => labels,
	fieldsOf: ({name}) => ({'metadata.name': name}),
	verdictOf: ({verdict}) => verdict,
	verdicts: [...nodeVerdicts],
	isHiddenBy: hidesPods,
	exitCodeOf: (items, {pods, problems}) => {
		const names = new Set(items.map(({name}) => name));
		const chosen = pods.filter(({node}) => names.has(node));
		return exitCodeOf(chosen, problems);
	},
};

export const zoneListing: Listing<ZoneForecast> = {
	...plainListing,
	kind: zones,
	plural: 'zones',
	itemsOf: ({zones}) => zones,
	fieldsOf: ({zone}) => ({'metadata.name': zone}),
	verdictOf: ({state}) => state,
	verdicts: ['Initial', 'Normal', 'PartialDisruption', 'FullDisruption'],
	isHiddenBy: hidesPods,
	exitCodeOf: (items, {pods, problems}) => {
		const names = new Set(items.map(({zone}) => zone));
		const chosen = pods.filter(({zone}) => names.has(zone));
		return exitCodeOf(chosen, problems);
	},
};

/** A forecast, beside the deletions that were seen until then. */
type WithHappenings = Forecast & {readonly happenings?: readonly ObservedDeletion[]};

const eventListing: Listing<ObservedDeletion> = {
	...plainListing,
	kind: deletions,
	plural: 'events',
	itemsOf: ({happenings = []}: WithHappenings) => happenings,
	namespaceOf: ({namespace}) => namespace,
	fieldsOf: podFields,
	belongsTo: ({name, node}, owner) =>
		owner.kind === 'nodes' ? owner.name === node : owner.kind === 'pods' && owner.name === name,
	verdictOf: () => '',
	verdicts: [],
	whenAllIsWell: (whose) => `No evictions${whose} in the last hour`,
	isHiddenBy: ({reason}) => reason === 'EventsForbidden' || reason === 'EventsUnreadable',
	mayLackNames: true,
	elsewhere: ({happenings = [], pods = []}, namespace, names) =>
		evictedElsewhere(happenings.filter(isNamed(names)), namespace) || elsewhereText(pods, namespace, 'pods'),
	exitCodeOf: () => 0,
};

const isNamed =
	(names: readonly string[]) =>
	({name}: ObservedDeletion): boolean =>
		names.length === 0 || names.includes(name);

/** Goes on with what a command lists; where none is named, pods. */
export function withListing<T>(
	command: CommandName | undefined,
	use: <Item>(listing: Listing<Item>) => T,
): T {
	switch (command) {
		case 'nodes':
			return use(nodeListing);
		case 'zones':
			return use(zoneListing);
		case 'events':
			return use(eventListing);
		default:
			return use(podListing);
	}
}

/** Whether it is printed what becomes of a pod: only there, more is read for it. */
export const saysAfter = ({command, output}: Pick<Options, 'command' | 'output'>): boolean =>
	(command === undefined || command === 'pods' || command === 'replay') &&
	output !== 'table' &&
	output !== 'name';
