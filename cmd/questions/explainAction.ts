import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import {isEvictedByKubelet} from '../../src/core/model/pod.ts';
import {hidesEvictions} from '../../src/core/model/problem.ts';
import {kindAndName} from '../../src/core/model/workloads/workload.ts';
import {withAfterExplained} from '../../src/forecast/explain/explainPod.ts';
import type {Target as Explained, Explanation} from '../../src/forecast/explain/explanation.ts';
import {withPressureExplained} from '../../src/forecast/explain/pressure/pressureExplained.ts';
import type {KnownSources} from '../../src/forecast/explain/situation.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {mayFollow} from '../../src/forecast/pressure/pressureWords.ts';
import {withPressure} from '../../src/forecast/pressure/withPressure.ts';
import {otherSettings} from '../../src/forecast/settings/otherSettings.ts';
import type {Setting} from '../../src/forecast/settings/setting.ts';
import {Aftermath} from '../../src/impact/after.ts';
import {relatedWanted} from '../../src/impact/withAfter.ts';
import {workloadImpacts} from '../../src/impact/workloadImpact.ts';
import {formatExplanations} from '../../src/print/explanation/explanation.ts';
import {explanationsJson} from '../../src/print/explanation/explanationJson.ts';
import type {TableOptions} from '../../src/print/tables/table.ts';
import {noneWords} from '../../src/print/whyNotYet.ts';
import {workloadSummary} from '../../src/print/workloads.ts';
import type {SettingsInForce} from '../../src/session/lookOnce.ts';
import {pasted, shellWord, withPasted} from '../../src/text/pasted.ts';
import {connectionOf} from '../args/connection.ts';
import type {Options} from '../args/options.ts';
import {type NamedTarget, namesOf, readTargets} from '../args/targets.ts';
import {usageError} from '../args/usageError.ts';
import {isDocumentFormat, printAnswer} from '../output/documentPrinter.ts';
import type {Terminal} from '../output/terminal.ts';
import {
	type NamedObject,
	type NameScene,
	notFound,
	placeNamed,
	podsNamed,
	zoneNamed,
} from '../sources/named.ts';
import {explainSelection} from '../sources/reading.ts';
import {withScene} from '../sources/scene.ts';
import {
	areOwnersOf,
	askedNamespace,
	chosenPods,
	namespaceOf,
	podsOfWorkloads,
	type Question,
} from './names.ts';

export async function explain(options: Options, terminal: Terminal) {
	const targets = readTargets(options.names);
	if (
		targets.length === 0 &&
		options.flags.selector === undefined &&
		options.flags.fieldSelector === undefined
	)
		throw usageError(
			'explain what? Say for example POD -n NAMESPACE, deploy/NAME, node/NAME or zone/NAME; `kubectl evictwatch pods -A` names pods in trouble',
		);
	return withScene({options, terminal}, explainSelection(targets), (scene) => explainScene(targets, scene));
}

/** Explains targets of one scene. Returns the exit code: 1 if one does not exist. */
export async function explainScene(named: readonly NamedTarget[], scene: Question) {
	const {forecaster, namespace, options, terminal} = scene;
	const {observedAt: now} = scene.snapshot;
	const names = new Set(namesOf('pods', named));
	// A kubelet's eviction is explained by the pods of its node, even if that has recovered.
	const pressed = await scene.pressure(
		new Set(
			scene.snapshot.pods
				.filter((pod) => isEvictedByKubelet(pod) && names.has(pod.name))
				.map(({nodeName}) => nodeName),
		),
	);
	const snapshot = {...scene.snapshot, problems: [...scene.snapshot.problems, ...pressed.problems]};
	const known = knownOf(snapshot, scene.inForce);
	const related = await scene.related(relatedWanted(scene.forecast));
	const aftermath = new Aftermath(scene.forecast, related);
	const afterOf = ({kind, name}: Explained) =>
		scene.forecast.pods
			.filter((pod) => kind === 'pod' && pod.name === name)
			.map((pod) => ({...pod, after: aftermath.of(pod)}));
	const explanations: Explanation[] = [];
	const complaints: string[] = [];
	const explained = (targets: readonly Explained[]) =>
		targets
			.flatMap((target) => forecaster.explain(target, now, known) ?? [])
			.map((one) => withPressureExplained(one, pressed.forecasts, now))
			.map((one) => withAfterExplained(one, afterOf(one.target), now));
	for (const one of named) {
		if (one.kind === 'workload') continue;
		const where = await namespaceOf(one, scene);
		const found = explained(targetsOf(one, {...snapshot, namespace: where}));
		explanations.push(...found);
		if (found.length === 0) complaints.push(complaint(one, {...snapshot, namespace}, options));
	}
	const owners = named.filter(({kind}) => kind === 'workload');
	let heads = '';
	if (owners.length > 0 || named.length === 0) {
		const forecast = withPressure(scene.forecast, pressed.forecasts);
		const {pods, summary} = await podsInTrouble(owners, {...scene, forecast, snapshot});
		const targets = pods.map(({namespace, name}) => ({kind: 'pod', namespace, name}) as const);
		explanations.push(...explained(targets));
		heads = summary;
	}
	const text = (table: TableOptions) =>
		heads + formatExplanations(explanations, now, {...table, isFull: isFull(options)});
	const document = () => explanationsJson(explanations, snapshot);
	await printAnswer({text, document, problems: snapshot.problems, now}, scene);
	// What seems well may be about to be evicted where silence cannot be seen.
	const isUnseen = explanations.some(isCalm) && snapshot.problems.some(hidesEvictions);
	const isTold = isUnseen && !isDocumentFormat(options.output);
	await terminal.printError((isTold ? `${noneWords(snapshot.problems)}.\n` : '') + complaints.join(''));
	return isUnseen || complaints.length > 0 ? 1 : 0;
}

/** Whether it says that nothing is to come. */
const isCalm = ({verdict, eviction}: Explanation) =>
	eviction === null && ['Safe', 'Healthy', 'Unsure'].includes(verdict);

/** The pods in trouble of workloads or selectors; with the impact on each named workload. */
async function podsInTrouble(owners: readonly NamedTarget[], scene: Question) {
	const {forecast, options, terminal} = scene;
	const asked = askedNamespace(scene);
	const all =
		owners.length > 0
			? await podsOfWorkloads(owners, scene)
			: await chosenPods(owners, {...scene, namespace: asked});
	const pressureOf = new Map(forecast.pressure?.map((one) => [one.node, one]));
	const pods = all.filter((pod) => pod.verdict !== 'Safe' || mayFollow(pod, pressureOf.get(pod.node)));
	if (pods.length === 0) {
		const names = owners.flatMap((one) => (one.kind === 'workload' ? kindAndName(one.workload) : []));
		const who = names.length === 0 ? 'what is asked for' : names.join(', ');
		const absent = all.length === 0 && owners.length === 0 ? await scene.absence(asked) : '';
		await terminal.printError(
			`${absent || `No pod of ${who} is on a node in trouble, so none is evicted`}.\n`,
		);
	}
	if (pods.length === 0 || owners.length === 0 || isDocumentFormat(options.output))
		return {pods, summary: ''};
	const forecastOfAsked = {...forecast, pods: all};
	const related = await scene.related(relatedWanted(forecastOfAsked));
	const summaries = workloadImpacts(forecastOfAsked, related)
		.filter(areOwnersOf(pods, related))
		.map((impact) => {
			const isOwn = (pod: PodForecast) => areOwnersOf([pod], related)(impact);
			return workloadSummary(impact, pods.filter(isOwn), forecast.observedAt, options);
		});
	return {pods, summary: summaries.length === 0 ? '' : `${summaries.join('')}\n`};
}

/** The sources of the settings, and the tolerations that the API server adds to new pods. */
function knownOf({leases}: ClusterSnapshot, {resolved, evidence}: SettingsInForce): KnownSources {
	const {notReadyToleration, unreachableToleration} = otherSettings(leases, evidence.controlPlane);
	const secondsOf = ({value}: Setting) => (typeof value === 'number' ? value : null);
	const defaultTolerationSeconds = {
		notReady: secondsOf(notReadyToleration),
		unreachable: secondsOf(unreachableToleration),
	};
	return {settings: resolved.list, defaultTolerationSeconds};
}

/** A dump without a chosen namespace may hold several pods of one name: all are explained. */
function targetsOf({kind, name}: NamedObject, scene: NameScene): readonly Explained[] {
	if (kind === 'nodes') return [{kind: 'node', name}];
	if (kind === 'zones') return [{kind: 'zone', name: zoneNamed(name, scene) ?? name}];
	const {namespace} = scene;
	if (namespace !== undefined) return [{kind: 'pod', namespace, name}];
	return podsNamed(name, scene).map((pod) => ({kind: 'pod', namespace: pod.namespace, name}));
}

function complaint(target: NamedObject, scene: NameScene, options: Options): string {
	const {message, hint} = notFound(target, scene);
	const place = target.kind === 'pods' ? placeNamed(target.name, scene) : undefined;
	const more = place
		? `: ${pasted(`kubectl evictwatch explain ${shellWord(place.target)}`, connectionOf(options))}`
		: ` (${withPasted(hint, connectionOf(options))})`;
	return `error: ${message}${more}\n`;
}

/** `--full`, or `-v`, the usual flag for more detail. */
const isFull = ({flags}: Options) => flags.full || (flags.v !== undefined && flags.v !== '0');
