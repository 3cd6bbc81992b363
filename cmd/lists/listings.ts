import {hidesEvictions, hidesNodes, hidesPods, type Problem} from '../../src/core/model/problem.ts';
import type {Related} from '../../src/core/model/workloads/related.ts';
import {zoneStates} from '../../src/core/nodelifecycle/zones/zoneState.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {ObservedDeletion} from '../../src/forecast/ledger/observedDeletion.ts';
import type {NodeForecast} from '../../src/forecast/nodeForecast.ts';
import {type PodForecast, willBeEvicted} from '../../src/forecast/podForecast.ts';
import type {ZoneForecast} from '../../src/forecast/zoneForecast.ts';
import type {Seen} from '../../src/print/json/json.ts';
import {podVerdicts} from '../../src/print/legend.ts';
import {deletions} from '../../src/print/tables/deletionKind.ts';
import type {Kind} from '../../src/print/tables/kind.ts';
import {nodes, nodeVerdicts} from '../../src/print/tables/nodeKind.ts';
import {foldedRows, pods} from '../../src/print/tables/podKind.ts';
import {zones} from '../../src/print/tables/zoneKind.ts';
import {mightFollow, noneWords, unaskedWords} from '../../src/print/whyNotYet.ts';
import type {TextMap} from '../../src/text/textMap.ts';
import {UserError} from '../../src/text/userError.ts';
import type {CommandName} from '../args/commandSet.ts';
import type {Filter, Options} from '../args/options.ts';
import type {NamedTarget} from '../args/targets.ts';
import {invalidValue} from '../args/usageError.ts';
import {podSuggestion} from '../sources/notFound.ts';
import {belongsTo} from '../sources/owners.ts';
import {elsewhereText, evictedElsewhere} from './elsewhere.ts';

/** What was seen, with pods, nodes and deletions if there are any. */
export type SeenPods = Seen &
	Partial<Pick<Forecast, 'pods' | 'nodes' | 'pressure'>> & {
		readonly happenings?: readonly ObservedDeletion[];
	};

export type Listed<Item> = Readonly<{
	kind: Kind<Item>;
	/** The command's name, also used in messages. */
	plural: string;
	/** Of what runs on a node: its name. */
	nodeOf?: (item: Item) => string;
	/** For pods: whether one belongs to a named owner. */
	belongsTo?: (item: Item, owner: NamedTarget, related: Related) => boolean;
	/** With all its values; absent where there are none. */
	verdictOf?: (item: Item) => string;
	verdicts?: readonly string[];
	/** Whether a table only counts the item, unless it is asked for; none if absent. */
	isFolded?: (item: Item) => boolean;
	/** Whether the item is hidden unless asked for; none if absent. */
	isWell?: (item: Item) => boolean;
	/** The message for an empty table. @param whose ` of web-0` if objects are named */
	whenAllIsWell?: (whose: string, problems: readonly Problem[]) => string;
	/** Whether the problem hides items, so that an empty table does not mean that all is well. */
	isHiddenBy: (problem: Problem) => boolean;
	/** Whether a name may have no item: a pod that was not deleted has no deletion. */
	mayLackNames?: boolean;
	/** The suggestion for an unknown name; empty if nothing is similar. */
	suggestionFor?: (name: string, seen: SeenPods, namespace: string | undefined) => string;
	/** Items of these names in other namespaces; empty if there are none. */
	elsewhere?: (seen: SeenPods, namespace: string, names: readonly string[]) => string;
	/** What may follow from the nodes although nothing is listed; empty if nothing may. */
	whatMayFollow?: (nodes: Forecast['nodes'], where?: string) => string;
	/** What was not queried, so that all may not be well; empty if everything was. */
	whatIsUnasked?: (seen: Pick<Forecast, 'nodes' | 'pressure'>) => string;
}>;

/** With the place of the items in what was seen. */
export type Listing<Item, From extends Seen = Forecast> = Listed<Item> &
	Readonly<{
		itemsOf: (seen: From) => readonly Item[];
		/** The command that tells what to do about the items of a table; empty if nothing can be done. */
		remedyCommand?: (items: readonly Item[]) => string;
		/** The items for a table on a terminal, with many that are alike in one row. */
		together?: (items: readonly Item[]) => readonly Item[];
		exitCodeOf: (items: readonly Item[], seen: From) => number;
	}>;

/** @throws UserError if the list needs nodes and they may not be read */
export function requireNodes({kind}: Listed<never>, problems: readonly Problem[]) {
	if (!kind.namespaceOf) assertNodesReadable(problems);
}

/** @throws UserError if nodes may not be read: an answer about them would be about none */
export function assertNodesReadable(problems: readonly Problem[]) {
	const refusal = problems.find(hidesNodes);
	if (!refusal) return;
	throw new UserError(
		refusal.message,
		'ask for a role that may get, list and watch nodes; with one namespace, try `kubectl evictwatch pods -n NAMESPACE`',
	);
}

export const podListing: Listing<PodForecast> = {
	kind: pods,
	plural: 'pods',
	itemsOf: ({pods}) => pods,
	nodeOf: ({node}) => node,
	belongsTo,
	verdictOf: ({verdict}) => verdict,
	verdicts: Object.keys(podVerdicts),
	isFolded: ({verdict, owner}) => verdict === 'Stays' && owner?.kind === 'DaemonSet',
	together: foldedRows,
	isWell: ({verdict}) => verdict === 'Safe',
	whenAllIsWell: (_, problems) => noneWords(problems),
	isHiddenBy: hidesPods,
	suggestionFor: (name, {pods = []}, namespace) => {
		const meant = podSuggestion(name, pods, namespace);
		return meant ? `; ${meant.what} (${meant.hint})` : '';
	},
	elsewhere: ({pods = []}, namespace) => elsewhereText(pods, namespace),
	whatMayFollow: mightFollow,
	remedyCommand: (pods) => (pods.some(({eviction}) => eviction !== null) ? 'kubectl evictwatch rescue' : ''),
	whatIsUnasked: unaskedWords,
	exitCodeOf: (items, {problems}) => exitCodeOf(items, problems),
};

export const nodeListing: Listing<NodeForecast> = {
	kind: nodes,
	plural: 'nodes',
	itemsOf: ({nodes}) => nodes,
	verdictOf: ({verdict}) => verdict,
	verdicts: [...nodeVerdicts],
	isHiddenBy: hidesPods,
	exitCodeOf: (items, forecast) => codeOfPods(items.map(nodes.nameOf), ({node}) => node, forecast),
};

export const zoneListing: Listing<ZoneForecast> = {
	kind: zones,
	plural: 'zones',
	itemsOf: ({zones}: Forecast) => zones,
	verdictOf: ({state}) => state,
	verdicts: zoneStates,
	isHiddenBy: hidesPods,
	exitCodeOf: (items, forecast) => codeOfPods(items.map(zones.nameOf), ({zone}) => zone, forecast),
};

const eventListing: Listing<ObservedDeletion> = {
	kind: deletions,
	plural: 'events',
	itemsOf: ({happenings = []}: Forecast & {readonly happenings?: readonly ObservedDeletion[]}) => happenings,
	nodeOf: ({node}) => node,
	belongsTo: ({name, node}, owner) =>
		owner.kind === 'nodes' ? owner.name === node : owner.kind === 'pods' && owner.name === name,
	whenAllIsWell: (whose) => `No evictions${whose} in the last hour`,
	isHiddenBy: (problem) =>
		problem.reason === 'EventsForbidden' || problem.reason === 'EventsUnreadable' || hidesPods(problem),
	mayLackNames: true,
	elsewhere: ({happenings = [], pods = []}, namespace, names) =>
		evictedElsewhere(happenings.filter(isNamed(names)), namespace) || elsewhereText(pods, namespace, 'pods'),
	exitCodeOf: () => 0,
};

const isNamed =
	(names: readonly string[]) =>
	({name}: ObservedDeletion) =>
		names.length === 0 || names.includes(name);

/** Calls the function with the listing of the command; pods by default. */
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

/** Whether the outcome of pods is printed; only then more is read for it. */
export const printsOutcomes = ({command, output}: Options) =>
	(command === undefined || command === 'pods' || command === 'replay') &&
	output !== 'table' &&
	output !== 'name';

/** The code of `--exit-code`: 2 if an eviction will come, 1 if too little is seen to tell, else 0. Held pods count as staying. */
export function exitCodeOf(pods: readonly PodForecast[], problems: readonly Problem[]): number {
	const verdicts = pods.map(({verdict}) => verdict);
	if (verdicts.some(willBeEvicted)) return 2;
	return verdicts.includes('Unsure') || problems.some(hidesEvictions) ? 1 : 0;
}

/** The same for the pods of these places. */
function codeOfPods(
	places: readonly string[],
	placeOf: (pod: PodForecast) => string,
	{pods, problems}: Forecast,
): number {
	const names = new Set(places);
	return exitCodeOf(
		pods.filter((pod) => names.has(placeOf(pod))),
		problems,
	);
}

/** Combines names, namespace (undefined stands for all) and selectors. @param related the owners of pods; needed if the filter names workloads */
export function selectionOf<Item>(
	{kind, nodeOf, verdictOf, verdicts = [], isWell, isFolded, belongsTo}: Listed<Item>,
	filter: Filter,
	namespace: string | undefined,
	related: () => Related,
) {
	const {owners} = filter;
	const {namespaceOf, labelsOf} = kind;
	const fieldsOf = (item: Item): TextMap => ({
		'metadata.name': kind.nameOf(item),
		'metadata.namespace': namespaceOf?.(item) ?? '',
		'spec.nodeName': nodeOf?.(item) ?? '',
	});
	const names = new Set(filter.names);
	const isNamed = (item: Item) =>
		(names.size === 0 && owners.length === 0) ||
		names.has(kind.nameOf(item)) ||
		owners.some((owner) => belongsTo?.(item, owner, related()));
	const isSelected = (item: Item) =>
		(namespace === undefined || !namespaceOf || namespaceOf(item) === namespace) &&
		isNamed(item) &&
		filter.labels(labelsOf?.(item) ?? {}) &&
		filter.fields((path) => fieldsOf(item)[path] ?? '');
	const chosen = new Set(filter.verdicts.map((word) => verdictNamed(word, verdicts)));
	const showsAll = filter.all || names.size > 0;
	const isChosen = (item: Item) =>
		chosen.size > 0 ? chosen.has(verdictOf?.(item) ?? '') : showsAll || !isWell?.(item);
	const folds = !showsAll && chosen.size === 0;
	return {
		/** Whether the filter matches. */
		isSelected,
		/** Whether it is shown: healthy items are not, unless chosen by name, by verdict or with --all. */
		isShown: (item: Item) => isSelected(item) && isChosen(item),
		/** Whether a table only counts it. */
		isFolded: (item: Item) => folds && isFolded?.(item) === true,
	};
}

function verdictNamed(word: string, verdicts: readonly string[]): string {
	const verdict = verdicts.find((one) => one.toLowerCase() === word.toLowerCase());
	if (verdict !== undefined) return verdict;
	throw invalidValue('verdict', word, `want one of ${verdicts.join(', ')}`);
}

/** Named objects that do not exist. */
export function missingNames<Item>(
	{kind, mayLackNames}: Listed<Item>,
	filter: Filter,
	found: readonly Item[],
): string[] {
	if (filter.names.length === 0 || mayLackNames) return [];
	const names = new Set(found.map(kind.nameOf));
	return filter.names.filter((name) => !names.has(name));
}
