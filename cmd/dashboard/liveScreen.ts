import type {Cluster} from '../../src/cluster/cluster.ts';
import type {Target} from '../../src/forecast/explain/explanation.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {Forecaster} from '../../src/forecast/forecaster.ts';
import type {NodeForecast} from '../../src/forecast/nodeForecast.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import type {PressuredNodes} from '../../src/forecast/pressure/observe/pressuredNodes.ts';
import {type Connection, pasted, shellWord, usualConnection} from '../../src/text/pasted.ts';
import {nodesOfTarget, type QuestionKind} from '../../src/ui/scene/questions.ts';
import type {WhatIfAnswer} from '../../src/ui/scene/scene.ts';
import {programVersion} from '../args/program.ts';
import {ImpactDecorator} from '../sources/impactDecorator.ts';
import type {PressureStage} from '../sources/pressureStage.ts';
import {Questions} from '../sources/questions.ts';
import {recordedSettings} from '../sources/recordedSettings.ts';
import {RelatedReader} from '../sources/relatedReader.ts';
import type {SettingsInForce} from '../sources/settingsInForce.ts';
import {type LiveParts, LiveSource} from './dashboardSource.ts';
import {Saver} from './saver.ts';

export type FollowedCluster = {
	readonly cluster: Cluster;
	readonly forecaster: Forecaster;
	readonly pressure: PressureStage;
	readonly kubelets: PressuredNodes;
	readonly inForce: SettingsInForce;
	/** How pasted commands connect to it. */
	readonly connection: Connection;
};

/** The parts in which a demo and a real cluster differ. */
type OwnParts = Omit<LiveParts, 'now' | 'explain' | 'lookAt' | 'save' | 'whatIf' | 'impacts'>;

/** The dashboard's source for a followed cluster, its recorder, and the session parts of both. */
export function liveScreen(
	{cluster, forecaster, pressure, kubelets, inForce, connection}: FollowedCluster,
	own: OwnParts,
) {
	const {title, version} = own;
	// With --all, pods arrive page by page.
	const whyUnread = (): Unread =>
		own.isPartial ? 'left out' : own.reading?.() !== undefined ? 'being read' : undefined;
	const {now} = cluster;
	const saver = new Saver(now, () => ({
		...{title, isPartial: whyUnread() !== undefined, kubernetesVersion: version},
		...{program: programVersion, settings: recordedSettings(inForce)},
	}));
	const related = new RelatedReader(cluster, saver);
	const decorator = new ImpactDecorator(related);
	const questions = new Questions();
	const source = new LiveSource({
		...own,
		...{now, save: saver.save, lookAt: (node: string) => kubelets.ask(node, now())},
		whatIf: answering({questions, related, forecaster}, connection, whyUnread),
		explain: (target, at) => pressure.explained(forecaster.explain(target, at), at),
		impacts: (forecast) => decorator.impactsOf(forecast),
	});
	const session = {
		...{taps: [source, saver], stages: [decorator]},
		screen: {prepare: source.prepare.bind(source), sideWork: questions.next},
	};
	return {source, saver, related, session};
}

type Answerers = {
	readonly questions: Questions;
	readonly related: RelatedReader;
	readonly forecaster: Forecaster;
};

/** Why some pods are unknown; undefined if all are known. */
type Unread = 'left out' | 'being read' | undefined;

/** Answers a question about a row: reads the workloads of its pods and of those in trouble, then computes in slices. */
export const answering =
	(
		{questions, related, forecaster}: Answerers,
		connection: Connection = usualConnection,
		whyUnread: () => Unread = () => undefined,
	) =>
	async (
		...[target, question, now, forecast]: Parameters<NonNullable<LiveParts['whatIf']>>
	): Promise<WhatIfAnswer> => {
		const flag = flagsOf[question];
		const why = whyUnread();
		if (why === 'being read' && flag)
			return () => ['Not known yet: the pods are still being read. Ask again once all are.'];
		if (why === 'left out' && flag && forecast && nodesOfTarget(target, forecast).some(hasUnreadPods))
			return () => notRead(flag, target, forecast, connection);
		// Loaded only here, as most look without a question.
		const {dashboardAnswer} = await import('./dashboardWhatIf.ts');
		const known = await related.about({pods: podsFor(target, forecast), nodes: forecast?.nodes ?? []});
		const beside = {related: known, pressure: forecast?.pressure ?? [], connection};
		return questions.ask(() => dashboardAnswer(target, question, forecaster, now, beside));
	};

/** The flags of `what-if` for questions about all pods of a node. */
const flagsOf: Readonly<Partial<Record<QuestionKind, string>>> = {
	...{down: 'node-down', outOfService: 'out-of-service', delete: 'delete-node'},
};

/** Pods of healthy nodes are not read. */
const hasUnreadPods = ({verdict, taints}: NodeForecast): boolean =>
	verdict === 'Healthy' && taints.length === 0;

/** Replaces numbers that would leave out unread pods. */
function notRead(
	flag: string,
	target: Target,
	forecast: Forecast,
	connection: Connection,
): readonly string[] {
	const command =
		target.kind === 'zone'
			? `--zone-down ${shellWord(target.name)}`
			: nodesOfTarget(target, forecast)
					.map(({name}) => `--${flag} ${shellWord(name)}`)
					.join(' ');
	return [
		'Not known here: the pods of healthy nodes are not read, so this cannot say which would be evicted.',
		'Ask:',
		`  ${pasted(`kubectl evictwatch what-if ${command}`, connection)}`,
		'Or start the dashboard with --all, which reads every pod.',
	];
}

const podsFor = ({kind, name}: Target, forecast: Forecast | undefined): readonly PodForecast[] =>
	(forecast?.pods ?? []).filter(
		({verdict, node, zone}) =>
			verdict !== 'Safe' || (kind === 'node' && node === name) || (kind === 'zone' && zone === name),
	);
