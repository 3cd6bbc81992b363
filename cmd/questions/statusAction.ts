import {hidesEvictions, hidesPods} from '../../src/core/model/problem.ts';
import type {Related} from '../../src/core/model/workloads/related.ts';
import {formatDuration} from '../../src/dates/duration.ts';
import {settingWords} from '../../src/forecast/explain/situation.ts';
import {isBlind} from '../../src/forecast/forecast.ts';
import type {Forecaster} from '../../src/forecast/forecaster.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {withPressure} from '../../src/forecast/pressure/withPressure.ts';
import {capitalized} from '../../src/forecast/words.ts';
import {moreLosses} from '../../src/impact/moreLosses.ts';
import {type NextLoss, nextLoss} from '../../src/impact/nextLoss.ts';
import {relatedWanted, withAfter} from '../../src/impact/withAfter.ts';
import {workloadImpacts} from '../../src/impact/workloadImpact.ts';
import {type NearLoss, nearZones} from '../../src/print/status/nextLoss.ts';
import {formatStatus, type OutageStatus, statusJson} from '../../src/print/status/status.ts';
import type {TableOptions} from '../../src/print/tables/table.ts';
import {mightFollow, noneWords} from '../../src/print/whyNotYet.ts';
import {formatWorkloads, isLosing, workloadsJson} from '../../src/print/workloads.ts';
import type {Options} from '../args/options.ts';
import {anyWorkload, readTargets} from '../args/targets.ts';
import {elsewhereText} from '../lists/elsewhere.ts';
import {unseenWords} from '../lists/show.ts';
import {printAnswer} from '../output/documentPrinter.ts';
import {isTable, seenText} from '../output/tableOptions.ts';
import {leaseOfControllers, tookOverAt} from '../output/takeover.ts';
import type {Terminal} from '../output/terminal.ts';
import type {AskedScene} from '../sources/look.ts';
import {explainSelection} from '../sources/reading.ts';
import {withScene} from '../sources/scene.ts';
import {areOwnersOf, askedNamespace, chosenPods, type Question, saidAbsence} from './names.ts';
import {impactOf, readPods, suppose} from './suppose.ts';

export const status = (options: Options, terminal: Terminal) =>
	withScene({options, terminal}, explainSelection([], true), async (scene) => {
		const namespace = askedNamespace(scene);
		const {forecast, now, problems, isEmpty, ...found} = await statusOf(
			scene,
			namespace,
			nextLossOf(scene, namespace),
		);
		const all = {forecast: {...forecast, problems}, ...found};
		const text = (table: TableOptions) => formatStatus(all, {...table, textWidth: table.width});
		const document = () => statusJson(all);
		// A page on nothing would look calm.
		const isAbsent = await saidAbsence(isEmpty, scene);
		if (!isAbsent) await printAnswer({text, document, problems, now}, scene);
		return isBlind(all.forecast, isAbsent ? hidesPods : hidesEvictions) ? 1 : 0;
	});

export const workloads = (options: Options, terminal: Terminal) =>
	withScene({options, terminal}, explainSelection(targetsOf(options)), async (scene) => {
		const {workloadKinds: kinds} = options;
		const {namespace} = scene;
		const {impacts: all, forecast, now, problems, isEmpty} = await statusOf(scene, namespace);
		const ofKinds = kinds.length === 0 ? all : all.filter(({kind}) => kinds.includes(kind));
		// Named workloads are shown even if they lose nothing.
		const impacts = isTable(options) && options.names.length === 0 ? ofKinds.filter(isLosing) : ofKinds;
		const text = (table: TableOptions) => formatWorkloads(impacts, table, now);
		const document = () => workloadsJson(impacts, {...forecast, problems});
		await printAnswer({text, document, problems, now}, scene);
		if (isTable(options)) await terminal.printError(seenText(now, options, terminal));
		if (isBlind({pods: scene.forecast.pods, problems}, hidesEvictions)) {
			const areUnread = problems.some(hidesPods);
			const words = areUnread ? capitalized(unseenWords({plural: 'workloads'})) : noneWords(problems);
			await terminal.printError(`${words}.\n`);
			return 1;
		}
		if (impacts.length > 0 || problems.some(hidesPods)) return 0;
		const absent = isEmpty ? await scene.absence(namespace) : '';
		const where = namespace === undefined ? '' : `in ${namespace} namespace`;
		const mayFollow = options.names.length > 0 ? '' : mightFollow(forecast.nodes, where);
		// ReplicaSets of Deployments are counted as Deployments.
		const owners = kinds.includes('ReplicaSet') ? '; those of Deployments count there' : '';
		await terminal.printError(
			`${absent || mayFollow || `No ${kinds.join(' or ') || 'workload'} loses pods${where && ` ${where}`}${owners}`}.\n`,
		);
		if (isTable(options)) await terminal.printError(elsewhereText(scene.forecast.pods, namespace));
		return 0;
	});

const targetsOf = ({names}: Options) => readTargets(names, anyWorkload);

/** The node whose loss matters most, to one namespace if it is not undefined. */
function nextLossOf(scene: AskedScene, namespace: string | undefined): NextLoss | undefined {
	const {pods, areAll} = readPods(scene);
	const own = pods.filter((pod) => namespace === undefined || pod.namespace === namespace);
	const losses = moreLosses(scene.forecast, scene.forecaster.settings);
	// Of a large cluster, other nodes than those that were read may run pods of the namespace.
	return nextLoss(losses, scene.forecast, {pods: areAll || own.length > 0 ? own : pods, areAll});
}

/**
 * The impact of an outage on what names, namespace and selectors choose.
 *
 * @param namespace undefined for all
 * @param next the node whose loss is supposed, if its pods were read
 */
async function statusOf(scene: Question, namespace: string | undefined, next?: NextLoss) {
	const {snapshot, forecaster, forecast} = scene;
	const pressed = await scene.pressure();
	const plain = withPressure(forecast, pressed.forecasts);
	const isThere = (pod: PodForecast) => namespace === undefined || pod.namespace === namespace;
	// A workload's loss is counted over all its pods, not only the chosen ones.
	const whole = {...plain, pods: plain.pods.filter(isThere)};
	const chosen = await chosenPods(targetsOf(scene.options), {...scene, forecast: plain, namespace});
	const now = snapshot.observedAt;
	const loss = next?.isRead ? suppose([{type: 'nodeDown', node: next.node, at: now}], scene) : undefined;
	const touched = loss?.touched.filter(isThere) ?? [];
	const related = await scene.related(relatedWanted({...whole, pods: [...whole.pods, ...touched]}));
	const all = withAfter(whole, related);
	const uids = new Set(chosen.map(({uid}) => uid));
	const shown = {...all, pods: all.pods.filter(({uid}) => uids.has(uid))};
	const impact = loss && (await impactOf(loss.found, related, scene));
	const nearLosses = next ? await nearLossesOf(next, related, scene) : [];
	const found: OutageStatus = {
		forecast: shown,
		impacts: workloadImpacts(all, related).filter(areOwnersOf(chosen, related)),
		nextLoss: next && {...next, ...(impact && {impact: {...impact, zones: loss.found.zones}})},
		nearLosses,
		grace: graceWords(forecaster),
		restartedAt: tookOverAt(leaseOfControllers(snapshot), forecast),
		namespace,
	};
	const problems = [...forecast.problems, ...related.problems, ...pressed.problems];
	return {...found, now, problems, isEmpty: chosen.length === 0};
}

/** What the loss of a node does in the first other zone that it would change, if the node's pods were read. */
async function nearLossesOf(next: NextLoss, related: Related, scene: Question): Promise<readonly NearLoss[]> {
	const [near] = nearZones(scene.forecast, next.losses.zone);
	const {pods, areAll} = readPods(scene);
	if (!near?.node || !(areAll || pods.some(({nodeName}) => nodeName === near.node))) return [];
	const at = scene.snapshot.observedAt;
	const {found} = suppose([{type: 'nodeDown', node: near.node, at}], scene);
	const impact = await impactOf(found, related, scene);
	return [{zone: near.zone, pods: impact.pods}];
}

/** Of what one look does not show, the range. */
const graceWords = ({settings, settingList}: Forecaster): string =>
	settingWords('node-monitor-grace-period', formatDuration(settings.nodeMonitorGracePeriod), settingList);
