import {mapBy} from '../../src/core/collections/mapBy.ts';
import {unique} from '../../src/core/collections/unique.ts';
import {isReadyNode} from '../../src/core/model/node.ts';
import {nameOf} from '../../src/core/model/objectName.ts';
import {type Pod, podKey} from '../../src/core/model/pod.ts';
import {hidesEvictions} from '../../src/core/model/problem.ts';
import {zoneKey, zoneLabel} from '../../src/core/model/zone.ts';
import {type Forecast, isBlind} from '../../src/forecast/forecast.ts';
import type {NodeForecast} from '../../src/forecast/nodeForecast.ts';
import {finish} from '../../src/forecast/pausable.ts';
import {type PodForecast, shownVerdict} from '../../src/forecast/podForecast.ts';
import {isUnderPressure} from '../../src/forecast/pressure/observe/pressuredNodes.ts';
import {pressedOf} from '../../src/forecast/pressure/pressureWords.ts';
import {type StuckPod, stuckPods} from '../../src/forecast/stuckPods.ts';
import {returnsToPlay} from '../../src/forecast/whatif/bestReturns.ts';
import type {PodRescue} from '../../src/forecast/whatif/rescues.ts';
import {workersByLoss} from '../../src/impact/nextLoss.ts';
import {relatedWanted, withAfter} from '../../src/impact/withAfter.ts';
import {workloadImpacts} from '../../src/impact/workloadImpact.ts';
import type {TableOptions} from '../../src/print/tables/table.ts';
import {formatRescue, type Rescue} from '../../src/print/whatif/rescue.ts';
import {rescueJson} from '../../src/print/whatif/rescueJson.ts';
import {calmWords} from '../../src/print/whyNotYet.ts';
import {connectionOf} from '../args/connection.ts';
import type {Options} from '../args/options.ts';
import {type NamedTarget, namesOf, readTargets} from '../args/targets.ts';
import {elsewhereText} from '../lists/elsewhere.ts';
import {printAnswer} from '../output/documentPrinter.ts';
import {isTable} from '../output/tableOptions.ts';
import type {Terminal} from '../output/terminal.ts';
import type {AskedScene} from '../sources/look.ts';
import {podNamed} from '../sources/named.ts';
import {explainSelection} from '../sources/reading.ts';
import {withScene} from '../sources/scene.ts';
import {
	areOwnersOf,
	askedNamespace,
	chosenPods,
	namespaceOf,
	podsOfWorkloads,
	type Question,
	saidAbsence,
} from './names.ts';
import {rescueInSteps} from './rescueInSteps.ts';
import {readPods} from './suppose.ts';

/** The command `rescue`: until when each pod can be saved, and how. It changes nothing. */
export async function rescue(options: Options, terminal: Terminal) {
	const targets = readTargets(options.names);
	return withScene({options, terminal}, explainSelection(targets, true), (scene) =>
		rescueTargets(targets, scene),
	);
}

/** Answers for the named objects. If their namespace has nothing to save, adds what happens in others. */
export async function rescueTargets(targets: readonly NamedTarget[], scene: Question) {
	const wanted = await wantedPods(targets, scene);
	const isEmpty = targets.length === 0 && wanted?.length === 0;
	if (await saidAbsence(isEmpty, scene)) return 0;
	const exitCode = await rescueScene(scene, wanted);
	const isLeft = scene.forecast.pods.filter(amongst(wanted)).some(({eviction}) => eviction !== null);
	if (isLeft || !isTable(scene.options)) return exitCode;
	await scene.terminal.printError(await evictionsElsewhere(targets, scene));
	return exitCode;
}

/** Whether a pod is one of those; any is if all are wanted. */
function amongst(wanted: readonly Pod[] | undefined): (pod: PodForecast) => boolean {
	const uids = wanted && new Set(wanted.map(({uid}) => uid));
	return ({uid}) => uids?.has(uid) ?? true;
}

/** Evictions in other namespaces on the same nodes and zones. Named pods and workloads are taken alone. */
async function evictionsElsewhere(targets: readonly NamedTarget[], scene: Question): Promise<string> {
	if (!scene.options.flags.namespace || targets.some((one) => !isPlace(one))) return '';
	const pods = await chosenPods(targets.filter(isPlace), {...scene, namespace: undefined});
	return elsewhereText(pods, scene.namespace);
}

/** The chosen pods; undefined for all. Only a given namespace narrows a node, a zone, or an empty list of names. */
async function wantedPods(
	targets: readonly NamedTarget[],
	scene: Question,
): Promise<readonly Pod[] | undefined> {
	const {flags} = scene.options;
	const named = await namedPods(namesOf('pods', targets), scene);
	const places = targets.filter(isPlace);
	const isNarrowed = flags.namespace || flags.selector || flags.fieldSelector;
	if (targets.length === 0 && !isNarrowed) return undefined;
	const asked = askedNamespace(scene);
	const found = [
		...(targets.length === 0 || places.length > 0
			? await chosenPods(places, {...scene, namespace: asked})
			: []),
		...(await podsOfWorkloads(
			targets.filter(({kind}) => kind === 'workload'),
			scene,
		)),
	];
	// Of healthy nodes only some are read, to suppose their loss; they do not stand for all others.
	const nodes = new Set(namesOf('nodes', targets));
	// Kubelets of nodes under pressure are queried next, as they may evict too.
	const pressed = new Set(scene.snapshot.nodes.filter(isUnderPressure).map(nameOf));
	const isAnswered = (pod: PodForecast) =>
		pod.verdict !== 'Safe' || nodes.has(pod.node) || (pressed.has(pod.node) && shownVerdict(pod) === 'Safe');
	const answered = unique(found).filter(isAnswered);
	return [...named, ...answered.flatMap((pod) => scene.forecaster.store.pods.get(podKey(pod)) ?? [])];
}

/** Pods by name. If no flag gave the namespace, the only pod of that name in any namespace is taken. */
async function namedPods(names: readonly string[], scene: Question): Promise<readonly Pod[]> {
	const pods: Pod[] = [];
	for (const name of names) {
		const namespace = await namespaceOf({kind: 'pods', name}, scene);
		pods.push(podNamed(name, {...scene.snapshot, namespace}));
	}
	return pods;
}

/** Whether it holds pods of all namespaces. */
const isPlace = ({kind}: NamedTarget) => kind === 'nodes' || kind === 'zones';

/** Answers for some pods, or for all that will be evicted. */
export async function rescueScene(scene: Question, wanted: readonly Pod[] | undefined) {
	const {forecaster, forecast, options} = scene;
	const isAsked = amongst(wanted);
	const seen = await scene.pressure(aliveNodesOf(wanted ?? [], forecast));
	const asked = forecast.pods.filter(isAsked);
	const found = finish(
		rescueInSteps(
			forecaster,
			{forecast, pressure: seen.forecasts},
			wanted && new Set(wanted.map(({uid}) => uid)),
			(zone) => zoneNodes(zone, wanted ? asked : [], scene),
		),
	);
	const {now} = found;
	const stuck = stuckPods({...forecast, pods: asked});
	const isCalm = wanted && found.pods.length === 0 && !asked.some(({verdict}) => verdict === 'Held');
	const askedNodes = new Set(asked.flatMap((pod) => (shownVerdict(pod) === 'Ended' ? [] : pod.node)));
	const problems = [...forecast.problems, ...seen.problems];
	const isUnseen = isBlind({pods: forecast.pods, problems}, hidesEvictions);
	const result: Rescue = {
		...found,
		pods: await withFollowing(found.pods, scene),
		stuck,
		stuckOf: isCalm ? await ownersOf(stuck, asked, scene) : [],
		pressed: seen.forecasts.filter(
			(one) => pressedOf(one).length > 0 && (!wanted || askedNodes.has(one.node)),
		),
		...((!wanted || isUnseen) && {calm: calmWords({...forecast, pressure: seen.forecasts})}),
	};
	const text = (table: TableOptions) => formatRescue(result, table);
	const document = () => rescueJson(result, {...forecast, problems}, connectionOf(options));
	await printAnswer({text, document, problems, now}, scene);
	return isUnseen ? 1 : 0;
}

/** Adds what follows if they are not saved. */
async function withFollowing(pods: readonly PodRescue[], {forecast, related: read}: AskedScene) {
	if (pods.length === 0) return pods;
	const told = mapBy(withAfter(forecast, await read(relatedWanted(forecast))).pods, ({uid}) => uid);
	return pods.map((one) => ({
		...one,
		forecast: {...one.forecast, after: told.get(one.forecast.uid)?.after ?? null},
	}));
}

/** The owners of stuck pods, and their ready counts. */
async function ownersOf(
	stuck: readonly StuckPod[],
	asked: readonly PodForecast[],
	{forecast, related: read}: AskedScene,
) {
	if (stuck.length === 0) return [];
	const forecastOfAsked = {...forecast, pods: asked};
	const related = await read(relatedWanted(forecastOfAsked));
	return workloadImpacts(forecastOfAsked, related).filter(
		areOwnersOf(
			stuck.map(({pod}) => pod),
			related,
		),
	);
}

/** The nodes of a zone for `triggersOf`, with the worker whose loss matters most first, as in `status`. */
function zoneNodes(zone: string, asked: readonly PodForecast[], scene: AskedScene) {
	const {snapshot, forecast} = scene;
	const ofZone = snapshot.nodes.filter((node) => zoneLabel(zoneKey(node)) === zone);
	const silent = new Set(forecast.nodes.flatMap(({name, verdict}) => (verdict === 'Silent' ? name : [])));
	const namesOfReady = (isUp: boolean) =>
		ofZone.filter((node) => (isReadyNode(node) && !silent.has(node.name)) === isUp).map(nameOf);
	const read = readPods(scene);
	const workers = workersByLoss(forecast.nodes, read).filter((one) => one.zone === zone);
	const up = unique([...workers.map(({node}) => node), ...namesOfReady(true)]);
	const withPods = new Set(read.pods.map(({nodeName}) => nodeName));
	return {
		down: namesOfReady(false),
		up,
		returning: returnsToPlay(zone, new Set(asked.map(({node}) => node)), forecast),
		unread: up.filter((name) => !withPods.has(name)),
	};
}

/** The nodes of pods whose kubelets can be queried. */
function aliveNodesOf(pods: readonly Pod[], {nodes}: Forecast): ReadonlySet<string> {
	const wanted = new Set(pods.map(({nodeName}) => nodeName));
	const isAlive = ({name, ready, verdict}: NodeForecast) =>
		wanted.has(name) && ready === 'True' && verdict !== 'Silent' && verdict !== 'Late';
	return new Set(nodes.filter(isAlive).map(nameOf));
}
