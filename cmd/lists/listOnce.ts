import type {Cluster} from '../../src/cluster/cluster.ts';
import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import type {ControlPlane} from '../../src/core/model/controlPlane.ts';
import {nothingRelated} from '../../src/core/model/workloads/related.ts';
import {type Duration, type Instant, second} from '../../src/core/time/instant.ts';
import {formatDuration} from '../../src/dates/duration.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {evictionsBefore} from '../../src/forecast/ledger/observedDeletion.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {withPressure} from '../../src/forecast/pressure/withPressure.ts';
import {capitalized} from '../../src/forecast/words.ts';
import {inPlace, relatedWanted, withAfter} from '../../src/impact/withAfter.ts';
import {apiVersion, itemJson, metadataJson} from '../../src/print/json/json.ts';
import {continueWords, controllersLostWords} from '../../src/print/legend.ts';
import {lateText, pressureTexts} from '../../src/print/status/causes.ts';
import {lookOnce} from '../../src/session/lookOnce.ts';
import type {CommandName} from '../args/commandSet.ts';
import type {Options} from '../args/options.ts';
import {documentPrinter, includesProblems, isDocumentFormat} from '../output/documentPrinter.ts';
import {isTable, seenText} from '../output/tableOptions.ts';
import {takeoverText} from '../output/takeover.ts';
import type {Terminal} from '../output/terminal.ts';
import {warnings} from '../output/warnings.ts';
import {absenceIn, absenceInFiles} from '../sources/absent.ts';
import {recordingOf, sceneOfFiles} from '../sources/fileScene.ts';
import {assertThere, relatedOf} from '../sources/owners.ts';
import {lookAtPressed, nothingPressed, reportsOnce} from '../sources/pressureLooks.ts';
import {settingsOfCluster} from '../sources/settingsInForce.ts';
import {elsewhereNote, namespaceOfNames} from './elsewhere.ts';
import {followRecording} from './followRecording.ts';
import {type OnlyHost, printsOutcomes, requireNodes, withListing} from './listings.ts';
import {chosenItems, notThere, type PrintedScene, show} from './show.ts';

type ListLook = {
	readonly cluster: Pick<Cluster, 'related' | 'pressureLooker' | 'now' | 'lacksNamespace' | 'lacksPods'>;
	readonly snapshot: ClusterSnapshot;
	readonly controlPlane: ControlPlane;
	/** Undefined for all namespaces. */
	readonly namespace: string | undefined;
};

/** Prints the list of one look. Returns the exit code. */
export async function listOnce(
	{cluster, snapshot, controlPlane, namespace}: ListLook,
	options: Options,
	terminal: Terminal,
): Promise<number> {
	for (const kind of kindsOf(options))
		withListing(kind, (listing) => requireNodes(listing, snapshot.problems));
	const [{evidence}, pressure, told] = await Promise.all([
		settingsOfCluster(options.controller, snapshot.kubernetesVersion, controlPlane),
		// Zones do not depend on pressure.
		kindsOf(options).every((kind) => kind === 'zones') ? nothingPressed : lookAtPressed(cluster, snapshot),
		options.command === 'events' ? reportsOnce(cluster) : undefined,
	]);
	const now = cluster.now();
	const problems = [
		...snapshot.problems,
		...options.controller.notes,
		...pressure.problems,
		...(told?.problems ?? []),
	];
	const look = lookOnce({...snapshot, problems}, evidence);
	const plain = withPressure(look.forecast, pressure.forecasts);
	const forecast = printsOutcomes(options)
		? withAfter(plain, await cluster.related(relatedWanted(plain)), inPlace)
		: plain;
	const {owners} = options.filter;
	const related = await relatedOf(owners, namespace, (query) => cluster.related(query));
	assertThere(owners, namespace, forecast.pods, related);
	const happenings = evictionsBefore(snapshot, told?.reports ?? []);
	const onlyControllerHost = look.forecaster.onlyControllerHost(snapshot.observedAt);
	const {names} = options.filter;
	const other = isOfPodsAlone(options)
		? namespaceOfNames(names, namespace, options.flags.namespace, forecast.pods)
		: undefined;
	if (other !== undefined)
		await terminal.printError(names.map((name) => elsewhereNote({name, namespace: other})).join(''));
	const code = await showLists(
		{
			...{
				forecast: {...forecast, happenings, onlyControllerHost},
				now,
				namespace: other ?? namespace,
				related,
			},
			absence: absenceIn(cluster, namespace, options),
		},
		options,
		terminal,
	);
	if (isTable(options))
		await terminal.printError(
			footOf(snapshot, {forecast: {...forecast, onlyControllerHost}, now}, options, terminal) +
				watchText(forecast, namespace, options),
		);
	return code;
}

/** Lines below the table: nodes under pressure, a takeover of the controllers, and the time of the look. */
function footOf(
	snapshot: ClusterSnapshot,
	{forecast, now}: {readonly forecast: Forecast & OnlyHost; readonly now: Instant},
	options: Options,
	terminal: Terminal,
): string {
	const kinds = kindsOf(options);
	const short = kinds.includes('nodes') ? pressureTexts(forecast.nodes) : [];
	const late = kinds.includes('zones') ? lateText(forecast.nodes) : '';
	const counting = kinds.includes('zones') && forecast.pods.some(({verdict}) => verdict === 'Scheduled');
	const host = kinds.includes('zones') ? forecast.onlyControllerHost : undefined;
	const taken = takeoverText(snapshot, forecast, now, options);
	return (
		[
			...short,
			...(late === '' ? [] : [`Nodes: ${late}`]),
			...(counting ? [continueWords] : []),
			...(host === undefined ? [] : [capitalized(controllersLostWords(host))]),
		]
			.map((text) => `${text}.\n`)
			.join('') +
		taken +
		seenText(now, options, terminal)
	);
}

/** How much narrower ranges get with `-w`: one look does not show when the next monitor pass starts. */
export function watchText(
	{pods, nodes}: Pick<Forecast, 'pods' | 'nodes'>,
	namespace: string | undefined,
	options: Options,
): string {
	const isMeant = (pod: PodForecast) => namespace === undefined || pod.namespace === namespace;
	const meant = pods.filter((pod) => pod.verdict === 'Expected' && isMeant(pod));
	const expected = new Set(meant.map(({node}) => node));
	const widths = nodes.flatMap(({name, unknown}) =>
		unknown?.latest && expected.has(name) ? unknown.latest - unknown.earliest : [],
	);
	const widest = Math.max(0, ...widths);
	return kindsOf(options).some(isOfPods) && widest >= leastNarrowed
		? `With -w, times of Expected pods are known up to ${formatDuration(widest)} better: a watch sees when monitor passes run.\n`
		: '';
}

/** Smaller differences are not mentioned. */
const leastNarrowed: Duration = 3 * second;

const isOfPods = (kind: CommandName | undefined): boolean => kind === undefined || kind === 'pods';

const isOfPodsAlone = (options: Options): boolean => kindsOf(options).every(isOfPods);

const kindsOf = ({lists, command}: Options): readonly (CommandName | undefined)[] =>
	lists.length > 0 ? lists.map(({kind}) => kind) : [command];

/** Prints the list of a file, with `-w` also its changes. Returns the exit code. */
export async function listFiles(options: Options, terminal: Terminal): Promise<number> {
	if (options.watch) {
		const recording = await recordingOf(options.filenames);
		return withListing(options.command, (listing) => followRecording(listing, recording, options, terminal));
	}
	const {forecast: found, forecaster, snapshot, pressure, reports, isPartial} = await sceneOfFiles(options);
	const pressed = withPressure(found, pressure.forecasts);
	const plain = {...pressed, problems: [...pressed.problems, ...pressure.problems]};
	const forecast = printsOutcomes(options) ? withAfter(plain, snapshot.related) : plain;
	// As for kubectl's -f, all namespaces in the file are shown, unless one is chosen.
	const namespace = options.filter.allNamespaces ? undefined : options.flags.namespace;
	const {related = nothingRelated} = snapshot;
	assertThere(options.filter.owners, namespace, forecast.pods, related);
	const happenings = evictionsBefore(snapshot, reports);
	const onlyControllerHost = forecaster.onlyControllerHost(forecast.observedAt);
	const scene = {
		...{
			forecast: {...forecast, happenings, onlyControllerHost},
			now: forecast.observedAt,
			namespace,
			related,
		},
		// A recording may lack the pods of healthy nodes.
		...(!isPartial && {absence: absenceInFiles(namespace, options)}),
	};
	const code = await showLists(scene, options, terminal);
	if (isTable(options)) await terminal.printError(footOf(snapshot, scene, options, terminal));
	return code;
}

/** Prints lists as kubectl does: several kinds as tables, or as one JSON list. Returns the exit code. */
export async function showLists(scene: PrintedScene, options: Options, terminal: Terminal): Promise<number> {
	const {lists, command, output} = options;
	if (lists.length < 2) return withListing(command, (listing) => show(listing, scene, options, terminal));
	if (isDocumentFormat(output)) {
		const all = lists.map(({kind, filter}) =>
			withListing(kind, (listing) => {
				const {selected: meant, items, missing} = chosenItems(listing, scene, {...options, filter});
				const documents = items.map((item) => itemJson(listing.kind, item));
				const complaints = missing.map(
					(name) => `error: ${notThere(name, listing, scene.forecast, scene.namespace)}\n`,
				);
				return {documents, complaints, code: listing.exitCodeOf(meant, scene.forecast)};
			}),
		);
		const items = all.flatMap(({documents}) => documents);
		const print = await documentPrinter(output, options);
		const metadata = metadataJson(scene.forecast);
		await terminal.printDocument(await print({apiVersion, kind: 'List', metadata, items}, items));
		const complaints = all.flatMap((one) => one.complaints);
		if (!includesProblems(output))
			await terminal.printError(warnings(scene.forecast.problems, scene.now, options));
		await terminal.printError(complaints.join(''));
		if (complaints.length > 0) return 1;
		return options.exitCode ? Math.max(...all.map(({code}) => code)) : 0;
	}
	return showTables(scene, options, terminal);
}

// Tables are separated by an empty line, and names include the kind.
async function showTables(scene: PrintedScene, options: Options, terminal: Terminal): Promise<number> {
	const {lists, output} = options;
	const flags = {...options.flags, showKind: true};
	const codes: number[] = [];
	let printed = 0;
	for (const [index, {kind, filter}] of lists.entries()) {
		const before = printed;
		const print = async (text: string) => {
			const isNext = output !== 'name' && printed === before && before > 0 && text !== '';
			printed += text.length;
			await terminal.print(isNext ? `\n${text}` : text);
		};
		// Problems are printed once.
		const forecast = index === 0 ? scene.forecast : {...scene.forecast, problems: []};
		const own = {...options, command: kind, filter, flags};
		codes.push(
			await withListing(kind, (listing) => show(listing, {...scene, forecast}, own, {...terminal, print})),
		);
	}
	return Math.max(...codes);
}
