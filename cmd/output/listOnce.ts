import type {Cluster} from '../../src/cluster/cluster.ts';
import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import type {ControlPlane} from '../../src/core/model/controlPlane.ts';
import {nothingRelated} from '../../src/core/model/workloads/related.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {evictionsBefore} from '../../src/forecast/ledger/observedDeletion.ts';
import {withPressure} from '../../src/forecast/pressure/withPressure.ts';
import {inPlace, relatedWanted, withAfter} from '../../src/impact/withAfter.ts';
import {pressureTexts} from '../../src/print/statusCauses.ts';
import {lookOnce} from '../../src/session/lookOnce.ts';
import type {CommandName} from '../args/commandSet.ts';
import type {Options} from '../args/options.ts';
import {lookAtPressed, nothingPressed, reportsOnce} from '../pressure/pressureLooks.ts';
import {followRecording} from '../recording/followRecording.ts';
import {recordingOf, sceneOfFiles} from '../sources/fileScene.ts';
import {assertThere, relatedOf} from '../sources/owners.ts';
import {settingsOfCluster} from '../sources/settingsInForce.ts';
import {requireNodes, saysAfter, withListing} from './listing.ts';
import {isTable} from './show.ts';
import {showLists} from './showLists.ts';
import {takeoverText} from './takeover.ts';
import type {Terminal} from './terminal.ts';

/** One look at a cluster, and what its control plane says of itself. */
export type ListLook = {
	readonly cluster: Pick<Cluster, 'related' | 'pressureLooker' | 'now' | 'lacksNamespace'>;
	readonly snapshot: ClusterSnapshot;
	readonly controlPlane: ControlPlane;
	/** Undefined stands for all of them. */
	readonly namespace: string | undefined;
};

/** Lists what one look shows, and answers with the exit code. */
export async function listOnce(
	{cluster, snapshot, controlPlane, namespace}: ListLook,
	options: Options,
	terminal: Terminal,
): Promise<number> {
	for (const kind of kindsOf(options))
		withListing(kind, (listing) => requireNodes(listing, snapshot.problems));
	const [{evidence}, pressure, told] = await Promise.all([
		settingsOfCluster(options.controller, snapshot.kubernetesVersion, controlPlane),
		// Zones tell nothing of it.
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
	const forecast = saysAfter(options)
		? withAfter(plain, await cluster.related(relatedWanted(plain)), inPlace)
		: plain;
	const {owners} = options.filter;
	const related = await relatedOf(owners, namespace, (query) => cluster.related(query));
	assertThere(owners, namespace, forecast.pods, related);
	const happenings = evictionsBefore(snapshot, told?.reports ?? []);
	const code = await showLists(
		{forecast: {...forecast, happenings}, now, namespace, related},
		options,
		terminal,
	);
	if (isTable(options)) await terminal.printError(footOf(snapshot, forecast, now, options));
	if (namespace === undefined || !isTable(options) || !kindsOf(options).some(isOfPods)) return code;
	if (snapshot.pods.some((pod) => pod.namespace === namespace)) return code;
	if (await cluster.lacksNamespace(namespace))
		await terminal.printError(`There is no namespace ${JSON.stringify(namespace)}.\n`);
	return code;
}

/** What a table has no column for: nodes that run short, and that other controllers took over. */
function footOf(snapshot: ClusterSnapshot, forecast: Forecast, now: Instant, options: Options): string {
	const short = kindsOf(options).includes('nodes') ? pressureTexts(forecast.nodes) : [];
	return short.map((text) => `${text}.\n`).join('') + takeoverText(snapshot, forecast, now, options);
}

const isOfPods = (kind: CommandName | undefined): boolean => kind === undefined || kind === 'pods';

const kindsOf = ({lists, command}: Options): readonly (CommandName | undefined)[] =>
	lists.length > 0 ? lists.map(({kind}) => kind) : [command];

/** Lists what files show, with `-w` as it went on; answers with the exit code. */
export async function listFiles(options: Options, terminal: Terminal): Promise<number> {
	if (options.watch) {
		const recording = await recordingOf(options.filenames);
		return withListing(options.command, (listing) => followRecording(listing, recording, options, terminal));
	}
	const {forecast: found, snapshot, pressure, reports} = await sceneOfFiles(options);
	const pressed = withPressure(found, pressure.forecasts);
	const plain = {...pressed, problems: [...pressed.problems, ...pressure.problems]};
	const forecast = saysAfter(options) ? withAfter(plain, snapshot.related) : plain;
	// As with kubectl's -f, the namespaces are those in the file, unless one is chosen.
	const namespace = options.filter.allNamespaces ? undefined : options.flags.namespace;
	const {related = nothingRelated} = snapshot;
	assertThere(options.filter.owners, namespace, forecast.pods, related);
	const happenings = evictionsBefore(snapshot, reports);
	const scene = {forecast: {...forecast, happenings}, now: forecast.observedAt, namespace, related};
	const code = await showLists(scene, options, terminal);
	if (isTable(options)) await terminal.printError(footOf(snapshot, forecast, forecast.observedAt, options));
	return code;
}
