import {everyPod, type Selection} from '../../src/cluster/transport/selection.ts';
import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import {nameOf} from '../../src/core/model/objectName.ts';
import type {SettingsSpan} from '../../src/core/model/settingsSpan.ts';
import {deviceGateUnseen} from '../../src/forecast/conclude/deviceVerdict.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {isUnderPressure} from '../../src/forecast/pressure/observe/pressuredNodes.ts';
import {type Change, nodeOfChange} from '../../src/forecast/simulate/change.ts';
import {someOf} from '../../src/forecast/words.ts';
import {onlyControllerHost} from '../../src/forecast/zoneForecast.ts';
import {moreLosses} from '../../src/impact/moreLosses.ts';
import {relatedWanted} from '../../src/impact/withAfter.ts';
import type {TableOptions} from '../../src/print/tables/table.ts';
import {formatWhatIf} from '../../src/print/whatif/formatWhatIf.ts';
import {formatMoreLosses, moreLossesJson} from '../../src/print/whatif/moreLosses.ts';
import {whatIfJson} from '../../src/print/whatif/whatIfJson.ts';
import {podChooser} from '../../src/session/podChooser.ts';
import {pasted, shellWord} from '../../src/text/pasted.ts';
import {UserError} from '../../src/text/userError.ts';
import {connectionOf} from '../args/connection.ts';
import type {Options} from '../args/options.ts';
import {answerOutputs, listOutputs} from '../args/outputFormat.ts';
import {type NamedTarget, namesOf, readTargets} from '../args/targets.ts';
import {usageError} from '../args/usageError.ts';
import {assertNodesReadable} from '../lists/listings.ts';
import {printAnswer} from '../output/documentPrinter.ts';
import type {Terminal} from '../output/terminal.ts';
import {isThere} from '../sources/named.ts';
import {ofChosen} from '../sources/reading.ts';
import {withScene} from '../sources/scene.ts';
import {type ChangeRequest, changeRequests, changesOf, nodeNameIn, nodeNamesIn} from './changes.ts';
import {drain} from './drainAction.ts';
import {assertPodsRecorded, type Question, saidAbsence, saidBlindness} from './names.ts';
import {rehearse} from './rehearsalAction.ts';
import {impactOf, suppose} from './suppose.ts';

export async function whatIf(options: Options, terminal: Terminal) {
	const {flags, output} = options;
	const requests = changeRequests(flags, options.timeZone);
	const {howManyMore: isCount, eachNode, eachZone} = flags;
	const drained = flags.drain.flatMap(nodeNamesIn);
	const call = {options, terminal};
	const questions = [requests.length > 0, drained.length > 0, isCount, eachNode, eachZone];
	const count = questions.filter((one) => one).length;
	if (count === 0) {
		const node = shellWord(nodeNamed(options.names) ?? 'NODE');
		throw usageError(`what-if needs a change, for example --node-down ${node}, or --how-many-more`);
	}
	if (count > 1)
		throw usageError(
			'--drain, --how-many-more, --each-node and --each-zone cannot be combined with other changes',
		);
	if (eachNode || eachZone)
		return withScene(call, everyPod, (scene) => rehearse(eachNode ? 'node' : 'zone', scene));
	if (options.exitCode) throw usageError('--exit-code needs --each-node or --each-zone');
	const isOfList = listOutputs.some((one) => one === output) && !answerOutputs.some((one) => one === output);
	if (isOfList) throw usageError(`-o ${output} needs --each-node or --each-zone: an answer is no list`);
	if (drained.length > 0)
		return withScene(call, ofChosen([], podChooser({nodes: drained})), (scene) => drain(drained, scene));
	const selection = whatIfSelection(requests, readTargets(options.names));
	return withScene(call, selection, isCount ? howManyMore : answer);
}

/** The only named node: `b4`, `node b4`, `node/b4`. */
function nodeNamed(names: readonly string[]): string | undefined {
	const [name] = names.slice(-1).map(nodeNameIn);
	return name?.includes('/') ? undefined : name;
}

/** Changes of a node that evict none of its pods. */
const endsNoPod: ReadonlySet<Change['type']> = new Set(['nodeBack', 'cordon', 'untaint']);

export async function answer(scene: Question) {
	const {snapshot, inForce, forecast, namespace, related: read, options} = scene;
	const now = snapshot.observedAt;
	assertNoNodesLeft(scene);
	const changes = changesOf(changeRequests(options.flags, options.timeZone), {...snapshot, now, namespace});
	assertPodsRecorded(
		scene,
		changes.flatMap((change) => (endsNoPod.has(change.type) ? [] : (nodeOfChange(change) ?? []))),
	);
	const {found, touched} = suppose(changes, scene);
	const related = await read(relatedWanted({pods: [...forecast.pods, ...touched], nodes: forecast.nodes}));
	const impact = await impactOf(found, related, scene);
	const isEmpty = impact.pods.length === 0 && options.names.length === 0;
	if (await saidAbsence(isEmpty, scene)) return 0;
	const problems = [...forecast.problems, ...related.problems];
	const notes = [
		...namedNotes(options.names),
		...notesOn(changes, forecast),
		...deviceNotes(changes, inForce.resolved.span),
		...pressureNotes(snapshot, options),
	];
	const text = (table: TableOptions) => formatWhatIf(found, impact, table, notes);
	const document = () => whatIfJson(found, impact, {...forecast, problems});
	if (await saidBlindness(problems, scene)) return 1;
	await printAnswer({text, document, problems, now}, scene);
	return 0;
}

/** The pods to read: those in trouble, and those of changed objects. */
function whatIfSelection(requests: readonly ChangeRequest[], targets: readonly NamedTarget[]): Selection {
	const zones = requests.flatMap(({zone}) => zone ?? []);
	const nodes = requests.flatMap(({node}) => node ?? []);
	const devices = requests.flatMap(({device}) => device ?? []);
	const changed = requests.flatMap(({pod}) => pod?.split('/').at(-1) ?? []);
	const names = [...changed, ...namesOf('pods', targets)];
	return ofChosen(names, podChooser({nodes, zones, devices}));
}

/** The note that only named objects are shown. */
const namedNotes = (names: readonly string[]): readonly string[] =>
	names.length > 0
		? [`Only pods of ${names.join(', ')} are counted here; leave that out to see all pods.`]
		: [];

/** @throws UserError for a node after a flag's value, where only commas separate nodes: a name alone is a pod */
function assertNoNodesLeft({snapshot, namespace, options: {names, flags}}: Question) {
	const scene = {...snapshot, namespace};
	const left = namesOf('pods', readTargets(names)).filter(
		(name) => isThere({kind: 'nodes', name}, scene) && !isThere({kind: 'pods', name}, scene),
	);
	const [first] = left;
	const {nodeDown, nodeBack} = flags;
	// Two flags were given, and it may belong to either.
	if (first === undefined || nodeDown.length > 0 === nodeBack.length > 0) return;
	const [flag, given] = nodeDown.length > 0 ? ['node-down', nodeDown] : ['node-back', nodeBack];
	throw new UserError(
		`pod ${JSON.stringify(first)} not found; there is a node ${first}`,
		`try --${flag} ${shellWord([...given, ...left].join(','))}`,
	);
}

/** Notes on changes that have no effect. */
function notesOn(changes: readonly Change[], {nodes}: Forecast): readonly string[] {
	return changes.flatMap((change) => {
		if (change.type !== 'nodeDown' && change.type !== 'nodeBack') return [];
		const node = nodes.find(({name}) => name === change.node);
		// The controllers do not notice a late node yet; of an unsure one nothing shows.
		if (node?.verdict === 'Late' || node?.verdict === 'Unsure') return [];
		const isUp = node?.verdict === 'Healthy' || node?.verdict === 'Recovering';
		if (isUp === (change.type === 'nodeDown')) return [];
		const state = isUp ? 'healthy' : 'down';
		return [`Node ${change.node} is ${state} already (${node?.verdict}): this changes nothing by itself.`];
	});
}

/** Notes on device taints that evict no pod, or perhaps none. */
function deviceNotes(changes: readonly Change[], {usual, earlyEnd}: SettingsSpan): readonly string[] {
	if (usual.deviceTaints || !changes.some(({type}) => type === 'deviceTaint')) return [];
	return earlyEnd.deviceTaints
		? [`Device taints may evict no pod: ${deviceGateUnseen}.`]
		: ['This kube-controller-manager does not evict pods for device taints (DRADeviceTaints is off).'];
}

/** The note that kubelets under pressure may evict pods as well. */
function pressureNotes({nodes}: ClusterSnapshot, options: Options): readonly string[] {
	const names = nodes.filter(isUnderPressure).map(nameOf);
	const [first] = names;
	if (first === undefined) return [];
	const command = pasted(`kubectl evictwatch pressure ${shellWord(first)}`, connectionOf(options));
	return [`What the kubelet of ${someOf(names, 3)} evicts by itself is not part of this answer: ${command}`];
}

/** `what-if --how-many-more`: how many further nodes each zone can lose before its evictions slow down or stop. */
export async function howManyMore(scene: Question) {
	const {forecast, forecaster} = scene;
	assertNodesReadable(forecast.problems);
	const onlyHost = onlyControllerHost(forecast.zones);
	const outlook = moreLosses(forecast, forecaster.settings);
	const text = () => formatMoreLosses(outlook, onlyHost);
	const document = () => moreLossesJson(outlook, forecast);
	const {problems, observedAt: now} = forecast;
	await printAnswer({text, document, problems, now}, scene);
	return 0;
}
