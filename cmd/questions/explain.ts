import {systemTiming} from '../../src/async/timing.ts';
import {systemEnvironment} from '../../src/cluster/access/environment.ts';
import {connect} from '../../src/cluster/cluster.ts';
import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import type {Explanation, Target} from '../../src/forecast/explain/explanation.ts';
import {withPressureExplained} from '../../src/forecast/explain/pressure/pressureExplained.ts';
import type {KnownSources} from '../../src/forecast/explain/situation.ts';
import type {Forecaster} from '../../src/forecast/forecaster.ts';
import {otherSettings} from '../../src/forecast/settings/otherSettings.ts';
import type {Setting} from '../../src/forecast/settings/setting.ts';
import {systemClock} from '../../src/live/clock.ts';
import {formatExplanations} from '../../src/print/explanation.ts';
import {explanationsJson} from '../../src/print/explanationJson.ts';
import {readOnce} from '../../src/session/clusterSource.ts';
import {lookOnce} from '../../src/session/lookOnce.ts';
import type {Options} from '../args/options.ts';
import {documentPrinter, isDocumentFormat, printIn, tellsProblems} from '../output/documentPrinter.ts';
import {warnings} from '../output/show.ts';
import type {Terminal} from '../output/terminal.ts';
import {lookAtPressed, type PressureSeen} from '../pressure/pressureLooks.ts';
import {sceneOfFiles} from '../sources/fileScene.ts';
import {explainSelection} from '../sources/reading.ts';
import {type SettingsInForce, settingsOfCluster} from '../sources/settingsInForce.ts';
import {type NamedTarget, readTargets} from './explainTargets.ts';

/** What was seen, when it is explained, and whose pods are meant; undefined stands for all namespaces. */
export type ExplainScene = {
	readonly snapshot: ClusterSnapshot;
	readonly inForce: SettingsInForce;
	readonly now: Instant;
	readonly namespace: string | undefined;
	/** Of the nodes that run short; absent where no kubelet can be asked. */
	readonly pressure?: PressureSeen;
	/** Explains from all that was seen; where absent, from the snapshot alone. */
	readonly forecaster?: Forecaster;
};

/** The command `explain`. */
export async function explain(options: Options, terminal: Terminal): Promise<number> {
	const targets = readTargets(options.names);
	if (options.filenames.length > 0) {
		const scene = await sceneOfFiles(options);
		const {namespace} = options.flags;
		return explainScene(targets, {...scene, now: scene.snapshot.observedAt, namespace}, options, terminal);
	}
	// One clock for everything: what arrived cannot lie in the future of a forecast.
	const timing = {...systemTiming, now: systemClock.now};
	const cluster = await connect(options.flags, systemEnvironment(), timing);
	try {
		const {namespace} = cluster;
		const [snapshot, controlPlane] = await Promise.all([
			readOnce(cluster, explainSelection(targets), namespace),
			cluster.controlPlane(),
		]);
		const [inForce, pressure] = await Promise.all([
			settingsOfCluster(options.controller, snapshot.kubernetesVersion, controlPlane),
			lookAtPressed(cluster, snapshot),
		]);
		const scene = {snapshot, inForce, pressure, now: snapshot.observedAt, namespace};
		return await explainScene(targets, scene, options, terminal);
	} finally {
		await cluster.close();
	}
}

/** Explains targets of one scene, and answers with the exit code: 1 where one of them does not exist. */
export async function explainScene(
	named: readonly NamedTarget[],
	{snapshot: seen, inForce, pressure, now, namespace, forecaster: seenAll}: ExplainScene,
	options: Options,
	terminal: Terminal,
): Promise<number> {
	const {forecaster, resolved, notes} = seenAll
		? {forecaster: seenAll, resolved: inForce.resolved, notes: []}
		: {...lookOnce(seen, inForce.evidence), notes: options.controller.notes};
	const problems = [...seen.problems, ...notes, ...resolved.problems, ...(pressure?.problems ?? [])];
	const snapshot = {...seen, problems};
	const known = knownOf(snapshot, {...inForce, resolved});
	const explanations: Explanation[] = [];
	const complaints: string[] = [];
	for (const one of named) {
		const targets = targetsOf(one, snapshot, namespace);
		const found = targets
			.flatMap((target) => forecaster.explain(target, now, known) ?? [])
			.map((one) => withPressureExplained(one, pressure?.forecasts ?? [], now));
		explanations.push(...found);
		if (found.length === 0) complaints.push(notFound(one, snapshot, namespace));
	}
	const text = await format(explanations, {...snapshot, observedAt: now}, options);
	await printIn(terminal, options.output)(text);
	if (!tellsProblems(options.output)) await terminal.printError(warnings(snapshot.problems, now, options));
	await terminal.printError(complaints.join(''));
	return complaints.length > 0 ? 1 : 0;
}

/** Where the settings come from, and what the API server gives to new pods. */
function knownOf({leases}: ClusterSnapshot, {resolved, controlPlane}: SettingsInForce): KnownSources {
	const {notReadyToleration, unreachableToleration} = otherSettings(leases, controlPlane);
	const secondsOf = ({value}: Setting) => (typeof value === 'number' ? value : null);
	const defaultTolerationSeconds = {
		notReady: secondsOf(notReadyToleration),
		unreachable: secondsOf(unreachableToleration),
	};
	return {settings: resolved.list, defaultTolerationSeconds};
}

/** A dump without a chosen namespace may hold several pods of one name: all of them are meant. */
function targetsOf(
	{kind, name}: NamedTarget,
	{pods}: ClusterSnapshot,
	namespace: string | undefined,
): readonly Target[] {
	if (kind !== 'pod') return [{kind, name}];
	if (namespace !== undefined) return [{kind, namespace, name}];
	return pods.filter((pod) => pod.name === name).map((pod) => ({kind, namespace: pod.namespace, name}));
}

function notFound({kind, name}: NamedTarget, {pods}: ClusterSnapshot, namespace: string | undefined): string {
	const others = kind === 'pod' ? pods.filter((pod) => pod.name === name).map((pod) => pod.namespace) : [];
	const where = namespace === undefined || kind !== 'pod' ? '' : ` in namespace ${namespace}`;
	const hint = others.length > 0 ? `; there is one in ${others.join(', ')}` : '';
	return `error: ${kind} ${JSON.stringify(name)} not found${where}${hint}\n`;
}

async function format(
	explanations: readonly Explanation[],
	snapshot: ClusterSnapshot,
	options: Options,
): Promise<string> {
	const {output} = options;
	if (!isDocumentFormat(output))
		return formatExplanations(explanations, snapshot.observedAt, options.timeZone);
	const print = await documentPrinter(output, options);
	return print(explanationsJson(explanations, snapshot), []);
}
