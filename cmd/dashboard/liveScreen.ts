import type {Cluster} from '../../src/cluster/cluster.ts';
import type {Forecaster} from '../../src/forecast/forecaster.ts';
import type {PressuredNodes} from '../../src/forecast/pressure/observe/pressuredNodes.ts';
import type {Connection} from '../../src/text/pasted.ts';
import {prepareForecast} from '../../src/ui/scene/prepare.ts';
import {programVersion} from '../args/program.ts';
import {ImpactDecorator} from '../output/impactDecorator.ts';
import type {PressureStage} from '../pressure/pressureStage.ts';
import {Questions} from '../sources/questions.ts';
import {recordedSettings} from '../sources/recordedSettings.ts';
import {RelatedReader} from '../sources/relatedReader.ts';
import {Saver} from '../sources/saver.ts';
import type {SettingsInForce} from '../sources/settingsInForce.ts';
import {answering, type Unread} from './dashboardAnswering.ts';
import {type LiveParts, LiveSource} from './dashboardSource.ts';

/** A cluster that is followed, and what is known of it. */
type FollowedCluster = {
	readonly cluster: Cluster;
	readonly forecaster: Forecaster;
	readonly pressure: PressureStage;
	readonly kubelets: PressuredNodes;
	readonly inForce: SettingsInForce;
	/** How commands that are pasted reach it. */
	readonly connection: Connection;
};

/** What a demo and a real cluster show each in its own way. */
type OwnParts = Pick<
	LiveParts,
	| 'title'
	| 'version'
	| 'isPartial'
	| 'settings'
	| 'happenings'
	| 'falseAlarms'
	| 'notes'
	| 'speed'
	| 'cost'
	| 'reading'
>;

/** The dashboard's source of a cluster that is followed, what saves it, and what a session does for both. */
export function liveScreen(
	{cluster, forecaster, pressure, kubelets, inForce, connection}: FollowedCluster,
	own: OwnParts,
) {
	const {title, version} = own;
	// With --all, not all pods are there while they are read page by page.
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
		screen: {prepare: prepareForecast, aside: questions.next},
	};
	return {source, saver, related, session};
}
