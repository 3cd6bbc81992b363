import type {Cluster} from '../../src/cluster/cluster.ts';
import type {NodeChooser, Selection} from '../../src/cluster/transport/selection.ts';
import {nameOf} from '../../src/core/model/objectName.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {Forecaster} from '../../src/forecast/forecaster.ts';
import {isWithoutTrouble, type NodeForecast} from '../../src/forecast/nodeForecast.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {pressuredNodes} from '../../src/forecast/pressure/observe/pressuredNodes.ts';
import type {Learning} from '../../src/forecast/settingsLearner.ts';
import type {Clock} from '../../src/live/clock.ts';
import {clusterSource, type Fallback} from '../../src/session/clusterSource.ts';
import {type Connection, pasted, shellWord, usualConnection} from '../../src/text/pasted.ts';
import {nodesOfSubject, podsOf, type QuestionKind, type Subject} from '../../src/ui/scene/questions.ts';
import type {WhatIfAnswer} from '../../src/ui/scene/scene.ts';
import {programVersion} from '../args/program.ts';
import {recordedSettings} from '../sources/recordedSettings.ts';
import {type RelatedReader, relatedReader} from '../sources/relatedReader.ts';
import type {LiveParts} from './dashboardSource.ts';
import {saverOf} from './saver.ts';
import {type Questions, type ScreenParts, screenSession, waitingQuestions} from './screenSession.ts';

/** The parts in which a demo and a real cluster differ. */
type OwnParts = Pick<ScreenParts, 'title' | 'notes' | 'speed' | 'cost' | 'reading' | 'share'> & {
	/** Whether only pods of nodes in trouble are read. */
	readonly isPartial: boolean;
	/** Reads the pods of these nodes, too; absent if all are read. */
	readonly read?: NodeChooser['read'] | undefined;
	/** How pasted commands connect to it. */
	readonly connection: Connection;
};

/** The dashboard's source for a cluster, its recorder, and what follows the cluster for both. */
export function liveScreen(cluster: Cluster, known: Learning, {connection, read, ...own}: OwnParts) {
	const {store, forecaster, learner} = known;
	const {title} = own;
	// With --all, pods arrive page by page.
	const whyUnread = (): Unread =>
		own.isPartial ? 'left out' : own.reading?.() !== undefined ? 'being read' : undefined;
	const {now} = cluster;
	const kubelets = pressuredNodes(store);
	const saver = saverOf(now, () => ({
		title,
		isPartial: whyUnread() !== undefined,
		kubernetesVersion: learner.evidence.serverVersion,
		program: programVersion,
		settings: recordedSettings(learner),
	}));
	const related = relatedReader(cluster, saver);
	const questions = waitingQuestions();
	const {source, session} = screenSession(known, related.of, {
		...own,
		connection,
		now,
		isEager: true,
		taps: [saver],
		questions,
		save: saver.save,
		lookAt: (node) => kubelets.ask(node, now()),
		whatIf: answering({questions, related, forecaster, read}, connection, whyUnread),
	});
	const follow = (selection: Selection, fallback: Fallback | undefined, clock: Clock, signal: AbortSignal) =>
		session.run(clusterSource(cluster, selection, fallback, kubelets), clock, signal);
	return {source, saver, related, follow};
}

type Answerers = Readonly<{
	questions: Questions;
	related: RelatedReader;
	forecaster: Forecaster;
	read?: OwnParts['read'];
}>;

/** Why some pods are unknown; undefined if all are known. */
type Unread = 'left out' | 'being read' | undefined;

/** Answers a question about a row: reads the workloads of its pods and of those in trouble, then computes in slices. */
export const answering =
	(
		{questions, related, forecaster, read}: Answerers,
		connection: Connection = usualConnection,
		whyUnread: () => Unread = () => undefined,
	) =>
	async (
		...[target, question, present]: Parameters<NonNullable<LiveParts['whatIf']>>
	): Promise<WhatIfAnswer> => {
		const why = ofAllPods.includes(question) ? whyUnread() : undefined;
		if (why === 'being read')
			return () => ['Not known yet: the pods are still being read. Ask again once all are.'];
		const before = present().forecast;
		if (why === 'left out' && before) {
			// Pods of healthy nodes are not read, unless somebody asks about them.
			const unread = nodesOfSubject(target, before).filter(isWithoutTrouble);
			if (unread.length > 0 && !(await read?.(unread.map(nameOf))))
				return () => notRead(target, unread, question, connection);
		}
		// Loaded only here, as most look without a question.
		const {dashboardAnswer} = await import('./dashboardWhatIf.ts');
		const {now, forecast: shown} = present();
		// The pods that were just read are in no forecast yet.
		const forecast = why ? await questions.ask(() => forecaster.forecastInSteps(now)) : shown;
		const known = await related.about({pods: podsFor(target, forecast), nodes: forecast?.nodes ?? []});
		const beside = {related: known, pressure: shown?.pressure ?? [], connection};
		return questions.ask(() => dashboardAnswer(target, question, forecaster, now, beside));
	};

/** The questions about all pods of a node. */
const ofAllPods: readonly QuestionKind[] = ['down', 'outOfService', 'delete'];

/** Replaces numbers that would leave out unread pods. */
function notRead(
	{kind, name}: Subject,
	unread: readonly NodeForecast[],
	question: QuestionKind,
	connection: Connection,
): readonly string[] {
	const lost =
		kind === 'zone'
			? `--zone-down ${shellWord(name)}`
			: `--node-down ${shellWord(unread.map(nameOf).join(','))}`;
	const command = pasted(`kubectl evictwatch what-if ${lost}`, connection);
	return [
		'Not known here: these healthy nodes are too many to read their pods, or their pods may not be read.',
		...(question === 'down' ? ['Ask:', `  ${command}`] : []),
		'The dashboard with --all reads every pod.',
	];
}

function podsFor(subject: Subject, forecast: Forecast | undefined): readonly PodForecast[] {
	if (!forecast) return [];
	const own = new Set(podsOf(subject, forecast));
	return forecast.pods.filter((pod) => pod.verdict !== 'Safe' || own.has(pod));
}
