import {nodeCondition} from '../src/core/model/node.ts';
import type {Pod} from '../src/core/model/pod.ts';
import {zoneKey, zoneLabel} from '../src/core/model/zone.ts';
import {noExecuteTaints} from '../src/core/tainteviction/taintEvictionController.ts';
import type {Instant} from '../src/core/time/instant.ts';
import {endingsOf} from '../src/forecast/endings.ts';
import type {PodForecast} from '../src/forecast/podForecast.ts';
import {finish} from '../src/forecast/steps.ts';
import type {Change} from '../src/forecast/whatif/change.ts';
import {latestReturn, otherRemedies, type PodRescue} from '../src/forecast/whatif/remedy.ts';
import {triggersOf} from '../src/forecast/whatif/triggers.ts';
import {formatRescue, type Rescue, rescueJson} from '../src/print/rescue.ts';
import {printAnswer} from './answer.ts';
import {podNamed} from './changes.ts';
import {readTargets} from './explainTargets.ts';
import type {Options} from './options.ts';
import {explainSelection} from './reading.ts';
import {type AskedScene, withScene} from './scene.ts';
import type {Terminal} from './terminal.ts';
import {usageError} from './usageError.ts';

/** The command `rescue`: until when each pod can still be saved, and by what. It only says so. */
export async function rescue(options: Options, terminal: Terminal): Promise<number> {
	if (options.names.length === 0)
		return withScene(options, explainSelection([]), (scene) =>
			rescueScene(scene, undefined, options, terminal),
		);
	const targets = readTargets(options.names);
	if (targets.some(({kind}) => kind === 'zone'))
		throw usageError('rescue pods or nodes: pod/NAME, node/NAME');
	return withScene(options, explainSelection(targets), (scene) => {
		const pods = targets.flatMap(({kind, name}) =>
			kind === 'node'
				? scene.snapshot.pods.filter(({nodeName}) => nodeName === name)
				: [podNamed(name, {...scene.snapshot, namespace: scene.namespace})],
		);
		return rescueScene(scene, pods, options, terminal);
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

/** Each answer is played; of more pods than this, only until when their nodes must be back is. */
const mostInFull = 3;

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
	const going = forecast.pods.filter(
		({uid, eviction, verdict, cause}) =>
			eviction !== null &&
			verdict !== 'Overdue' &&
			cause?.kind !== 'NodeDeleted' &&
			(isWanted?.has(uid) ?? true),
	);
	const pods = rescues(scene, going, isWanted !== undefined && going.length <= mostInFull);
	const ask = (changes: readonly Change[]) => forecaster.whatIfInSteps(changes, now);
	const nodesOf = (zone: string) => {
		const ofZone = snapshot.nodes.filter((node) => zoneLabel(zoneKey(node)) === zone);
		const isUp = (node: (typeof ofZone)[number]) => nodeCondition(node, 'Ready')?.status === 'True';
		const names = (isMeant: typeof isUp) => ofZone.filter(isMeant).map(({name}) => name);
		return {down: names((node) => !isUp(node)), up: names(isUp)};
	};
	const held = forecast.pods.filter(({uid, verdict}) => verdict === 'Held' && (isWanted?.has(uid) ?? true));
	const result: Rescue = {now, pods, held: finish(triggersOf(forecast.zones, held, nodesOf, now, ask))};
	const [text, document] = [() => formatRescue(result), () => rescueJson(result, forecast)];
	await printAnswer({text, document, problems: forecast.problems}, options, terminal);
	return 0;
}

/** In a big outage only what is most urgent is played: each answer takes a moment. */
const mostPlayed = 20;

const earliestOf = ([first]: readonly PodForecast[]): Instant => first?.eviction?.earliest ?? 0;

/** Pods of one node that go at the same time are saved by the same. */
function rescues(
	{snapshot, forecaster, forecast: {nodes: nodeForecasts}}: AskedScene,
	going: readonly PodForecast[],
	inFull: boolean,
): readonly PodRescue[] {
	const now = snapshot.observedAt;
	const {nodeMonitorPeriod} = forecaster.settings;
	const ask = (changes: readonly Change[]) => forecaster.whatIfInSteps(changes, now);
	const alike = Map.groupBy(
		going,
		({node, eviction}) => `${node} ${Math.round((eviction?.earliest ?? 0) / 100)}`,
	);
	const soonest = [...alike.values()].toSorted((a, b) => earliestOf(a) - earliestOf(b));
	const nodes = new Map(snapshot.nodes.map((node) => [node.name, node]));
	const silent = new Set(nodeForecasts.flatMap(({name, verdict}) => (verdict === 'Silent' ? [name] : [])));
	const scene = {now, settings: forecaster.settings};
	const returns = finish(forecaster.returnsInSteps(now));
	const wanted = new Set(going.map(({uid}) => uid));
	const podsByUid = new Map(snapshot.pods.filter(({uid}) => wanted.has(uid)).map((pod) => [pod.uid, pod]));
	return soonest.flatMap((forecasts, index) => {
		const [sample] = forecasts;
		const first = sample && podsByUid.get(sample.uid);
		const isPlayed = index < mostPlayed;
		const back =
			isPlayed && sample && first
				? finish(latestReturn(first, sample, nodeMonitorPeriod, now, returns))
				: undefined;
		return forecasts.map((forecast): PodRescue => {
			const pod = podsByUid.get(forecast.uid);
			const node = nodes.get(forecast.node);
			const taints = node ? noExecuteTaints(node).map(({key}) => key) : [];
			const others = inFull && pod ? finish(otherRemedies(pod, forecast, taints, now, ask)) : [];
			const endings = pod
				? endingsOf(forecast, {...scene, pod, node, isSilent: silent.has(forecast.node)})
				: [];
			return {forecast, pod, remedies: [...(back ? [back] : []), ...others], endings};
		});
	});
}
