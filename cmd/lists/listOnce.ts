import {maxOf} from '../../src/core/collections/extremes.ts';
import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import {type Duration, second} from '../../src/core/time/instant.ts';
import {formatDuration} from '../../src/dates/duration.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {evictionsBefore} from '../../src/forecast/ledger/observedDeletion.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {withPressure} from '../../src/forecast/pressure/withPressure.ts';
import {capitalized} from '../../src/forecast/words.ts';
import {onlyControllerHost} from '../../src/forecast/zoneForecast.ts';
import {inPlace, relatedWanted, withAfter} from '../../src/impact/withAfter.ts';
import {headJson, itemJson} from '../../src/print/json/json.ts';
import {continueWords, controllersLostWords} from '../../src/print/legend.ts';
import {scoreText} from '../../src/print/score.ts';
import {lateText, pressureTexts} from '../../src/print/status/causes.ts';
import {nothingPressed} from '../../src/session/pressureStage.ts';
import type {CommandName} from '../args/commandSet.ts';
import type {Options} from '../args/options.ts';
import {documentPrinter, includesProblems, isDocumentFormat} from '../output/documentPrinter.ts';
import {isTable, seenText} from '../output/tableOptions.ts';
import {takeoverText} from '../output/takeover.ts';
import type {Terminal} from '../output/terminal.ts';
import type {Look} from '../sources/look.ts';
import {assertSeen} from '../sources/named.ts';
import {assertThere, relatedOf} from '../sources/owners.ts';
import {elsewhereNote, namespaceOfNames} from './elsewhere.ts';
import {printsOutcomes, requireNodes, withListing} from './listings.ts';
import {chosenItems, type PrintedScene, show} from './show.ts';

/** Prints the list of one look. Returns the exit code. */
export async function listOnce(look: Look, options: Options, terminal: Terminal) {
	const {snapshot, namespace} = look;
	const {names, owners} = options.filter;
	const kinds = kindsOf(options);
	for (const kind of kinds) withListing(kind, (listing) => requireNodes(listing, snapshot.problems));
	const [pressure, told] = await Promise.all([
		// Zones do not depend on pressure.
		kinds.every((kind) => kind === 'zones') ? nothingPressed : look.pressure(),
		options.command === 'events' ? look.reports() : {reports: [], problems: []},
	]);
	const now = look.now();
	const pressed = withPressure(look.forecast, pressure.forecasts);
	const plain = {...pressed, problems: [...pressed.problems, ...pressure.problems, ...told.problems]};
	const forecast = printsOutcomes(options)
		? withAfter(plain, await look.related(relatedWanted(plain)), inPlace)
		: plain;
	const related = await relatedOf(owners, namespace, look.related);
	for (const owner of owners) assertSeen(owner, snapshot);
	assertThere(owners, namespace, forecast.pods, related);
	const other = kinds.every(isOfPods)
		? namespaceOfNames(names, namespace, options.flags.namespace, forecast.pods)
		: undefined;
	if (other !== undefined)
		await terminal.printError(names.map((name) => elsewhereNote({name, namespace: other})).join(''));
	const scene = {
		forecast:
			options.command === 'events'
				? {
						...forecast,
						happenings: look.deletions?.happenings() ?? evictionsBefore(snapshot, told.reports),
					}
				: forecast,
		now,
		namespace: other ?? namespace,
		related,
		absence: () => look.absence(namespace),
		options,
		terminal,
	};
	const code = await showLists(scene);
	// Of a name that is not found nothing more is told.
	const isNamed = [options, ...options.lists].some(({filter}) => filter.names.length > 0);
	if (isTable(options) && (code !== 1 || !isNamed)) {
		const foot = footOf(snapshot, scene) + (look.deletions ? scoreText(look.deletions.score()) : '');
		await terminal.printError(foot + watchText(forecast, namespace, options));
	}
	return code;
}

/** Lines below the table: nodes under pressure, a takeover of the controllers, and the time of the look. */
function footOf(snapshot: ClusterSnapshot, {forecast, now, options, terminal}: PrintedScene): string {
	const {nodes, pods, zones} = forecast;
	const [ofNodes, ofZones] = ['nodes', 'zones'].map((kind) => kindsOf(options).includes(kind));
	const late = lateText(nodes);
	const host = onlyControllerHost(zones);
	const texts = [
		...(ofNodes ? pressureTexts(nodes) : []),
		...(ofZones && late !== '' ? [`Nodes: ${late}`] : []),
		...(ofZones && pods.some(({verdict}) => verdict === 'Scheduled') ? [continueWords] : []),
		...(ofZones && host !== undefined ? [capitalized(controllersLostWords(host))] : []),
	];
	const told = texts.map((text) => `${text}.\n`).join('');
	return told + takeoverText(snapshot, forecast, now, options) + seenText(now, options, terminal);
}

/** How much narrower ranges get with `-w`: one look does not show when the next monitor pass starts. */
export function watchText({pods, nodes}: Forecast, namespace: string | undefined, options: Options): string {
	if (!kindsOf(options).some(isOfPods) || options.filenames.length > 0) return '';
	const isMeant = (pod: PodForecast) => namespace === undefined || pod.namespace === namespace;
	const meant = pods.filter((pod) => pod.verdict === 'Expected' && isMeant(pod));
	const expected = new Set(meant.map(({node}) => node));
	const widths = nodes.flatMap(({name, unknown}) =>
		unknown?.latest && expected.has(name) ? unknown.latest - unknown.earliest : [],
	);
	const widest = maxOf(widths, 0);
	return widest >= leastNarrowed
		? `With -w, times of Expected pods are known up to ${formatDuration(widest)} better: a watch sees when monitor passes run.\n`
		: '';
}

/** Smaller differences are not mentioned. */
const leastNarrowed: Duration = 3 * second;

const isOfPods = (kind: CommandName | undefined) => kind === undefined || kind === 'pods';

const kindsOf = ({lists, command}: Options): readonly (CommandName | undefined)[] =>
	lists.length > 0 ? lists.map(({kind}) => kind) : [command];

/** Prints lists as kubectl does: several kinds as tables, or as one JSON list. Returns the exit code. */
export async function showLists(scene: PrintedScene) {
	const {options, terminal} = scene;
	const {lists, command, output} = options;
	if (lists.length < 2) return withListing(command, (listing) => show(listing, scene));
	const isOneDocument = isDocumentFormat(output);
	// Names of several kinds include the kind.
	const flags = {...options.flags, showKind: true};
	let printed = 0;
	const parts = lists.map(({kind, filter}, index) =>
		withListing(kind, (listing) => {
			let before = 0;
			// Tables are separated by an empty line.
			const print = async (text: string) => {
				const isNext = output !== 'name' && printed === before && before > 0 && text !== '';
				printed += text.length;
				await terminal.print(isNext ? `\n${text}` : text);
			};
			const own = {
				...scene,
				areProblemsTold: index > 0 || includesProblems(output),
				isPrinted: isOneDocument,
				options: {...options, command: kind, filter, flags},
				terminal: {...terminal, print},
			};
			const chosen = chosenItems(listing, own);
			return {
				documents: () => chosen.items.map((item) => itemJson(listing.kind, item)),
				show: () => {
					before = printed;
					return show(listing, own, chosen);
				},
			};
		}),
	);
	if (isOneDocument) {
		const items = parts.flatMap(({documents}) => documents());
		const print = await documentPrinter(output, options);
		await terminal.printDocument(await print({...headJson('List', scene.forecast), items}, items));
	}
	const codes: number[] = [];
	for (const part of parts) codes.push(await part.show());
	return maxOf(codes);
}
