import {isReadyNode} from '../../src/core/model/node.ts';
import {type Pod, podKey} from '../../src/core/model/pod.ts';
import {zoneKey, zoneLabel} from '../../src/core/model/zone.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {NodeForecast} from '../../src/forecast/nodeForecast.ts';
import {finish} from '../../src/forecast/pausable.ts';
import type {Change} from '../../src/forecast/simulate/change.ts';
import {rescuesInSteps} from '../../src/forecast/whatif/rescues.ts';
import {triggersOf} from '../../src/forecast/whatif/triggers.ts';
import {formatRescue, type Rescue, rescueJson} from '../../src/print/whatif/rescue.ts';
import type {Options} from '../args/options.ts';
import {usageError} from '../args/usageError.ts';
import type {Terminal} from '../output/terminal.ts';
import {explainSelection} from '../sources/reading.ts';
import {type AskedScene, withScene} from '../sources/scene.ts';
import {printAnswer} from './answer.ts';
import {podNamed} from './changes.ts';
import {readTargets} from './explainTargets.ts';
import {assertThere, type NamedWorkload, podsOfWorkload, splitWorkloads} from './workloadTargets.ts';

/** The command `rescue`: until when each pod can still be saved, and by what. It only says so. */
export async function rescue(options: Options, terminal: Terminal): Promise<number> {
	if (options.names.length === 0)
		return withScene(options, explainSelection([]), (scene) =>
			rescueScene(scene, undefined, options, terminal),
		);
	const {workloads, others} = splitWorkloads(options.names);
	const targets = others.length > 0 ? readTargets(others) : [];
	if (targets.some(({kind}) => kind === 'zone'))
		throw usageError('rescue pods, nodes or workloads: pod/NAME, node/NAME, deployment/NAME');
	return withScene(options, explainSelection(targets), async (scene) => {
		const pods = targets.flatMap(({kind, name}) =>
			kind === 'node'
				? scene.snapshot.pods.filter(({nodeName}) => nodeName === name)
				: [podNamed(name, {...scene.snapshot, namespace: scene.namespace})],
		);
		return rescueScene(scene, [...pods, ...(await podsOf(workloads, scene))], options, terminal);
	});
}

/** The pods of workloads, of those that are read. */
async function podsOf(workloads: readonly NamedWorkload[], scene: AskedScene): Promise<readonly Pod[]> {
	if (workloads.length === 0) return [];
	const {forecast, forecaster, namespace} = scene;
	const pods = forecast.pods.filter((pod) => namespace === undefined || pod.namespace === namespace);
	const related = await scene.related({
		namespaces: new Set(namespace === undefined ? pods.map((pod) => pod.namespace) : [namespace]),
		ownerKinds: new Set([
			...pods.flatMap(({owner}) => owner?.kind ?? []),
			...workloads.map(({kind}) => kind),
		]),
		nodeCount: forecast.nodes.length,
	});
	return workloads.flatMap((workload) => {
		const found = podsOfWorkload(workload, pods, related);
		assertThere(workload, found, related);
		return found.flatMap((pod) => forecaster.podOf(podKey(pod)) ?? []);
	});
}

/** `what-if --buy-time POD`: the same for pods that are given by name, with or without a namespace. */
export async function rescuePods(
	names: readonly string[],
	options: Options,
	terminal: Terminal,
): Promise<number> {
	const targets = names.map((name) => ({kind: 'pod', name: name.split('/').at(-1) ?? name}) as const);
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
	const result: Rescue = {now, pods, held: finish(triggersOf(forecast.zones, held, nodesOf, now, ask))};
	const problems = [...forecast.problems, ...seen.problems];
	const [text, document] = [
		() => formatRescue(result, options.timeZone),
		() => rescueJson(result, {...forecast, problems}),
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
