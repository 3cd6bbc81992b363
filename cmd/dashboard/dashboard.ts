import {untilBothEnd} from '../../src/async/taskGroup.ts';
import {systemTiming} from '../../src/async/timing.ts';
import {systemEnvironment} from '../../src/cluster/access/environment.ts';
import {type Cluster, connect} from '../../src/cluster/cluster.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {learning} from '../../src/forecast/settingsLearner.ts';
import {clockShowing, systemClock} from '../../src/live/clock.ts';
import {ClusterSource} from '../../src/session/clusterSource.ts';
import {Session} from '../../src/session/session.ts';
import {runDashboard} from '../../src/ui/app/runDashboard.ts';
import {prepareForecast} from '../../src/ui/state/prepare.ts';
import type {Options} from '../args/options.ts';
import {programVersion} from '../args/program.ts';
import {Afterwards} from '../output/afterwards.ts';
import {processTerminal} from '../output/terminal.ts';
import {TerminalLoan} from '../output/terminalLoan.ts';
import {LivePressure, withLooks} from '../pressure/livePressure.ts';
import {Deletions} from '../sources/deletions.ts';
import {keeperOf} from '../sources/learnedStore.ts';
import {Questions} from '../sources/questions.ts';
import {readVersion, selectionFor} from '../sources/reading.ts';
import {recordedSettings} from '../sources/recordedSettings.ts';
import {RelatedReader} from '../sources/relatedReader.ts';
import {Saver} from '../sources/saver.ts';
import {type SettingsInForce, settingsOfCluster} from '../sources/settingsInForce.ts';
import {startingAnew} from '../sources/startingAnew.ts';
import {answering} from './dashboardAnswering.ts';
import {LiveSource} from './dashboardSource.ts';
import {dashboardLook, screenTerminal} from './dashboardTerminal.ts';

/** The command without a name, on a terminal: the dashboard of a cluster, until it is left. */
export async function dashboard(options: Options): Promise<number> {
	const look = await dashboardLook(options);
	// One clock for everything: what arrived cannot lie in the future of a forecast.
	const timing = {...systemTiming, now: systemClock.now};
	const loan = new TerminalLoan();
	const cluster = await connect(options.flags, loan.around(systemEnvironment()), timing);
	const never = new AbortController().signal;
	try {
		return await startingAnew(options, never, (own) => show(cluster, own, look, loan));
	} finally {
		await cluster.close();
		await processTerminal.printError(loan.takeWords());
	}
}

/** Shows one cluster, until the dashboard is left, or another cluster answers. */
async function show(
	cluster: Cluster,
	options: Options,
	look: Awaited<ReturnType<typeof dashboardLook>>,
	loan: TerminalLoan,
): Promise<number> {
	const stop = new AbortController();
	let saver: Saver | undefined;
	try {
		const [version, controlPlane] = await Promise.all([readVersion(cluster), cluster.controlPlane()]);
		const inForce = await settingsOfCluster(options.controller, version, controlPlane);
		const {evidence} = inForce;
		const known = learning(evidence, keeperOf(controlPlane.clusterUid, version, cluster.now));
		const {store, forecaster} = known;
		const pressure = new LivePressure(cluster.now, store);
		const deletions = new Deletions(store);
		const selection = {...selectionFor(options, undefined, forecaster), kubernetesVersion: version};
		const title = options.flags.context ?? new URL(cluster.server).host;
		const isPartial = selection.pods.type !== 'all';
		const keeping = saverOf(cluster.now, {title, isPartial, kubernetesVersion: version}, inForce);
		saver = keeping;
		const related = new RelatedReader(cluster, keeping);
		const questions = new Questions();
		const source = new LiveSource({
			...{title, version, isPartial, save: keeping.save, notes: options.controller.notes},
			whatIf: answering(questions, related, forecaster, isPartial),
			now: cluster.now,
			explain: (...asked) => pressure.explained(forecaster.explain(...asked), asked[1]),
			lookAt: pressure.ask,
			settings: () => forecaster.settingList,
			happenings: () => deletions.happenings,
			falseAlarms: () => deletions.falseAlarms,
			cost: () => cluster.traffic(),
		});
		const session = new Session({
			...{...known, ledger: deletions, taps: [source, keeping]},
			stages: [pressure, new Afterwards(related)],
			display: source,
			screen: {prepare: prepareForecast, aside: questions.next},
		});
		const watched = new ClusterSource(cluster, selection, cluster.namespace);
		const driving = withLooks(cluster, pressure, stop.signal, (signal) =>
			session.run(watched, clockShowing(cluster.now), signal),
		).finally(() => stop.abort());
		const shown = runDashboard(
			{...look, source, namespace: options.flags.namespace, hasMenu: false},
			screenTerminal(!options.flags.noAltScreen),
			stop.signal,
			(lend) => loan.drawnBy(lend),
		).finally(() => {
			loan.drawnBy(undefined);
			stop.abort();
		});
		const {exitCode} = await untilBothEnd(driving, shown);
		return exitCode;
	} finally {
		stop.abort();
		await saver?.close();
	}
}

type Saved = {
	readonly title: string;
	readonly isPartial: boolean;
	readonly kubernetesVersion: string | undefined;
};

const saverOf = (now: () => Instant, saved: Saved, inForce: SettingsInForce): Saver =>
	new Saver(now, () => ({...saved, program: programVersion, settings: recordedSettings(inForce)}));
