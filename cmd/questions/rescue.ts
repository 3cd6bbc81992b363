import {isReadyNode} from '../../src/core/model/node.ts';
import {type Pod, podKey} from '../../src/core/model/pod.ts';
import {zoneKey, zoneLabel} from '../../src/core/model/zone.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {NodeForecast} from '../../src/forecast/nodeForecast.ts';
import {finish} from '../../src/forecast/pausable.ts';
import type {Change} from '../../src/forecast/simulate/change.ts';
import {stuckPods} from '../../src/forecast/stuckPods.ts';
import {rescuesInSteps} from '../../src/forecast/whatif/rescues.ts';
import {triggersOf} from '../../src/forecast/whatif/triggers.ts';
import {formatRescue, type Rescue} from '../../src/print/whatif/rescue.ts';
import {rescueJson} from '../../src/print/whatif/rescueJson.ts';
import {connectionOf} from '../args/connection.ts';
import type {Options} from '../args/options.ts';
import {type NamedTarget, namesOf, readTargets} from '../args/targets.ts';
import {elsewhereText} from '../output/elsewhere.ts';
import {isTable} from '../output/show.ts';
import type {Terminal} from '../output/terminal.ts';
import {explainSelection} from '../sources/reading.ts';
import {type AskedScene, withScene} from '../sources/scene.ts';
import {printAnswer} from './answer.ts';
import {chosenPods} from './chosenPods.ts';
import {podNamed} from './names.ts';

/** The command `rescue`: until when each pod can still be saved, and by what. It only says so. */
export async function rescue(options: Options, terminal: Terminal): Promise<number> {
	const targets = readTargets(options.names);
	return withScene(options, explainSelection(targets), (scene) =>
		rescueTargets(targets, scene, options, terminal),
	);
}

/** Says it of what is named; where its namespace leaves nothing, what happens in others, so that nobody is falsely calm. */
export async function rescueTargets(
	targets: readonly NamedTarget[],
	scene: AskedScene,
	options: Options,
	terminal: Terminal,
): Promise<number> {
	const wanted = await wantedPods(targets, scene, options);
	const exitCode = await rescueScene(scene, wanted, options, terminal);
	const isWanted = wanted && new Set(wanted.map(({uid}) => uid));
	const isLeft = scene.forecast.pods.some(
		({uid, eviction}) => eviction !== null && (isWanted?.has(uid) ?? true),
	);
	if (isLeft || !isTable(options)) return exitCode;
	await terminal.printError(await evictionsElsewhere(targets, scene, options));
	return exitCode;
}

/** Of the same nodes and zones, as a namespace is all that hides their pods. Pods that are named are the only ones meant. */
async function evictionsElsewhere(
	targets: readonly NamedTarget[],
	scene: AskedScene,
	{filter, flags}: Options,
): Promise<string> {
	const isAll = targets.length === 0 && !isGiven(flags.namespace);
	if (isAll || targets.some(({kind}) => kind === 'pods')) return '';
	const owners = targets.filter(isPlace);
	const pods = await chosenPods(
		{...filter, owners},
		{...scene, pods: scene.forecast.pods, namespace: undefined},
	);
	return elsewhereText(pods, scene.namespace);
}

/**
 * The pods that are asked for; undefined for all of them. Of a node or a zone, and
 * without names, only a namespace that is given narrows it.
 */
async function wantedPods(
	targets: readonly NamedTarget[],
	scene: AskedScene,
	{filter, flags}: Options,
): Promise<readonly Pod[] | undefined> {
	const {snapshot, forecast, forecaster} = scene;
	const named = namesOf('pods', targets).map((name) =>
		podNamed(name, {...snapshot, namespace: scene.namespace}),
	);
	const places = targets.filter(isPlace);
	const workloads = targets.filter(({kind}) => kind === 'workload');
	const isNarrowed = isGiven(flags.namespace) || isGiven(flags.selector) || isGiven(flags.fieldSelector);
	if (targets.length === 0 && !isNarrowed) return undefined;
	const asked = isGiven(flags.namespace) ? scene.namespace : undefined;
	const choose = async (owners: readonly NamedTarget[], namespace: string | undefined) =>
		chosenPods({...filter, owners}, {...scene, pods: forecast.pods, namespace});
	const found = [
		...(targets.length === 0 || places.length > 0 ? await choose(places, asked) : []),
		...(workloads.length > 0 ? await choose(workloads, scene.namespace) : []),
	];
	return [...named, ...[...new Set(found)].flatMap((pod) => forecaster.podOf(podKey(pod)) ?? [])];
}

/** Whether it holds pods of all namespaces. */
const isPlace = ({kind}: NamedTarget): boolean => kind === 'nodes' || kind === 'zones';

const isGiven = (value: string | undefined): boolean => value !== undefined && value !== '';

/** `what-if --buy-time POD`: the same for pods that are given by name, with or without a namespace. */
export async function rescuePods(
	names: readonly string[],
	options: Options,
	terminal: Terminal,
): Promise<number> {
	const targets = names.map((name) => ({kind: 'pods', name: name.split('/').at(-1) ?? name}) as const);
	return withScene(options, explainSelection(targets), (scene) => {
		const pods = names.map((name) => podNamed(name, {...scene.snapshot, namespace: scene.namespace}));
		return rescueScene(scene, pods, options, terminal);
	});
}

/** Says it of some pods, or of all that are to go. */
export async function rescueScene(
	scene: AskedScene,
	wanted: readonly Pod[] | undefined,
	options: Options,
	terminal: Terminal,
): Promise<number> {
	const {snapshot, forecaster, forecast} = scene;
	const now = snapshot.observedAt;
	const isWanted = wanted && new Set(wanted.map(({uid}) => uid));
	const seen = await scene.pressure(aliveNodesOf(wanted ?? [], forecast));
	const told = {forecast, pressure: seen.forecasts};
	const pods = finish(rescuesInSteps(forecaster, told, isWanted));
	const ask = (changes: readonly Change[]) => forecaster.whatIfInSteps(changes, now);
	const nodesOf = (zone: string) => {
		const ofZone = snapshot.nodes.filter((node) => zoneLabel(zoneKey(node)) === zone);
		const isUp = (node: (typeof ofZone)[number]) => isReadyNode(node);
		const names = (isMeant: typeof isUp) => ofZone.filter(isMeant).map(({name}) => name);
		return {down: names((node) => !isUp(node)), up: names(isUp)};
	};
	const held = forecast.pods.filter(({uid, verdict}) => verdict === 'Held' && (isWanted?.has(uid) ?? true));
	const going = new Set(pods.map(({forecast: {uid}}) => uid));
	const asked = forecast.pods.filter(({uid}) => isWanted?.has(uid) ?? true);
	const kept = isWanted
		? asked
				.filter(({uid}) => !going.has(uid))
				.map((one) => ({forecast: one, pod: forecaster.podOf(podKey(one))}))
		: [];
	const stuck = stuckPods({...forecast, pods: asked});
	const result: Rescue = {
		now,
		pods,
		kept,
		stuck,
		held: finish(triggersOf(forecast.zones, held, nodesOf, now, ask)),
	};
	const problems = [...forecast.problems, ...seen.problems];
	const connection = connectionOf(options);
	const [text, document] = [
		() => formatRescue(result, options.timeZone, connection),
		() => rescueJson(result, {...forecast, problems}, connection),
	];
	await printAnswer({text, document, problems, now}, options, terminal);
	return 0;
}

/** The nodes of pods whose kubelets can be asked what they run short of. */
function aliveNodesOf(pods: readonly Pod[], {nodes}: Forecast): ReadonlySet<string> {
	const wanted = new Set(pods.map(({nodeName}) => nodeName));
	const isAlive = ({name, ready, verdict}: NodeForecast) =>
		wanted.has(name) && ready === 'True' && verdict !== 'Silent';
	return new Set(nodes.filter(isAlive).map(({name}) => name));
}
