import type {Selection} from '../../src/cluster/transport/selection.ts';
import type {ControllerSettings} from '../../src/core/model/controllerSettings.ts';
import type {Problem} from '../../src/core/model/problem.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {Change} from '../../src/forecast/simulate/change.ts';
import {moreLosses} from '../../src/impact/moreLosses.ts';
import {relatedWanted} from '../../src/impact/withAfter.ts';
import {formatWhatIf} from '../../src/print/whatif/formatWhatIf.ts';
import {formatMoreLosses, moreLossesJson} from '../../src/print/whatif/moreLosses.ts';
import {whatIfJson} from '../../src/print/whatif/whatIfJson.ts';
import {PodChooser} from '../../src/session/podChooser.ts';
import {shellWord} from '../../src/text/pasted.ts';
import {UserError} from '../../src/text/userError.ts';
import type {Options} from '../args/options.ts';
import {type NamedTarget, namesOf, readTargets} from '../args/targets.ts';
import {usageError} from '../args/usageError.ts';
import {printAnswer} from '../output/answer.ts';
import {isTable, tableOptions} from '../output/tableOptions.ts';
import type {Terminal} from '../output/terminal.ts';
import {pressureWhatIf} from '../pressure/pressureWhatIf.ts';
import {type AskedScene, withScene} from '../sources/scene.ts';
import {type ChangeRequest, changeRequests} from './changeRequests.ts';
import {changesOf} from './changes.ts';
import {askedNamespace, isThere} from './names.ts';
import {rescuePods} from './rescueAction.ts';
import {impactOf, suppose} from './suppose.ts';

export async function whatIf(options: Options, terminal: Terminal): Promise<number> {
	const {flags} = options;
	const requests = changeRequests(flags, options.timeZone);
	const questions = [
		requests.length > 0,
		flags.howManyMore,
		flags.buyTime !== undefined,
		flags.pressure.length > 0,
	];
	const asked = questions.filter((one) => one).length;
	if (asked === 0) {
		const node = shellWord(nodeNamed(options.names) ?? 'NODE');
		throw usageError(`what-if needs a change, for example --node-down ${node}, or --how-many-more`);
	}
	if (asked > 1)
		throw usageError('--how-many-more, --buy-time and --pressure cannot be combined with other changes');
	if (flags.pressure.length > 0) return pressureWhatIf(options, terminal);
	const pod = flags.buyTime;
	if (pod !== undefined) return rescuePods([pod], options, terminal);
	return withScene(options, whatIfSelection(requests, readTargets(options.names)), (scene) =>
		flags.howManyMore ? howManyMore(scene, options, terminal) : answer(scene, options, terminal),
	);
}

/** The only named node: `b4`, `node b4`, `node/b4`. */
function nodeNamed(names: readonly string[]): string | undefined {
	const name = names.at(-1)?.replace(/^(no|nodes?)\//, '');
	return name?.includes('/') ? undefined : name;
}

const podsPartial: Problem = {
	reason: 'PodsPartial',
	message:
		'the recording has only the pods of nodes in trouble, so others are not in the answer; record --all keeps every pod',
};

export async function answer(scene: AskedScene, options: Options, terminal: Terminal): Promise<number> {
	const {snapshot, forecaster, forecast, namespace, isPartial, related: read, pressure} = scene;
	const now = snapshot.observedAt;
	assertNoNodesLeft(scene, options);
	const changes = changesOf(changeRequests(options.flags, options.timeZone), {...snapshot, now, namespace});
	const pressed = await pressure();
	const {found, touched} = suppose(changes, scene, pressed);
	const related = await read(relatedWanted({pods: [...forecast.pods, ...touched], nodes: forecast.nodes}));
	const impact = await impactOf(found, {pressed, related}, scene, options);
	const isEmpty = impact.pods.length === 0 && options.names.length === 0 && isTable(options);
	const absent = isEmpty ? await scene.absence(askedNamespace(scene, options)) : '';
	if (absent) {
		await terminal.printError(`${absent}.\n`);
		return 0;
	}
	const partial = isPartial ? [podsPartial] : [];
	const problems = [...partial, ...forecast.problems, ...related.problems, ...pressed.problems];
	const notes = [
		...namedNotes(options.names),
		...notesOn(changes, forecast),
		...deviceNotes(changes, forecaster.settings),
	];
	const text = () => formatWhatIf(found, impact, tableOptions(options, terminal), notes);
	const document = () => whatIfJson(found, impact, {...forecast, problems});
	await printAnswer({text, document, problems, now}, options, terminal);
	return 0;
}

/** The pods to read: those in trouble, and those of changed objects. */
function whatIfSelection(requests: readonly ChangeRequest[], targets: readonly NamedTarget[]): Selection {
	const zones = requests.flatMap((one) => ('zone' in one ? one.zone : []));
	const nodes = requests.flatMap((one) => ('node' in one ? one.node : []));
	const devices = requests.flatMap((one) => ('device' in one ? one.device : []));
	const changed = requests.flatMap((one) => ('pod' in one ? (one.pod.split('/').at(-1) ?? []) : []));
	const names = [...changed, ...namesOf('pods', targets)];
	const pods = names.length > 0 ? {named: names} : {};
	return {pods: {type: 'chosen', chooser: new PodChooser({nodes, zones, devices}), ...pods}};
}

/** The note that only named objects are shown. */
const namedNotes = (names: readonly string[]): readonly string[] =>
	names.length > 0
		? [`Only pods of ${names.join(', ')} are counted here; leave that out to see all pods.`]
		: [];

/** @throws UserError for a node after a flag's value, where only commas separate nodes: a name alone is a pod */
function assertNoNodesLeft({snapshot, namespace}: AskedScene, {names, flags}: Options): void {
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
		// The controllers do not notice a late node yet.
		if (node?.verdict === 'Late') return [];
		const isUp = node?.verdict === 'Healthy' || node?.verdict === 'Recovering';
		if (isUp === (change.type === 'nodeDown')) return [];
		const state = isUp ? 'healthy' : 'down';
		return [`Node ${change.node} is ${state} already (${node?.verdict}): this changes nothing by itself.`];
	});
}

/** Notes on devices that no pod is evicted for. */
const deviceNotes = (
	changes: readonly Change[],
	{deviceTaints}: Pick<ControllerSettings, 'deviceTaints'>,
): readonly string[] =>
	!deviceTaints && changes.some(({type}) => type === 'deviceTaint')
		? ['This kube-controller-manager does not evict pods for device taints (DRADeviceTaints is off).']
		: [];

/** `what-if --how-many-more`: how many further nodes each zone can lose before its evictions slow down or stop. */
export async function howManyMore(
	{forecast, forecaster}: AskedScene,
	options: Options,
	terminal: Terminal,
): Promise<number> {
	const host = forecaster.onlyControllerHost(forecast.observedAt);
	const onlyHost = forecast.nodes.find(({name}) => name === host);
	const outlook = moreLosses(forecast, forecaster.settings, onlyHost?.zone);
	const [text, document] = [
		() => formatMoreLosses(outlook, onlyHost),
		() => moreLossesJson(outlook, forecast),
	];
	await printAnswer(
		{text, document, problems: forecast.problems, now: forecast.observedAt},
		options,
		terminal,
	);
	return 0;
}
