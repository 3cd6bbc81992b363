import {connect} from '../src/cluster/cluster.ts';
import {systemSurroundings} from '../src/cluster/surroundings.ts';
import {systemTiming} from '../src/cluster/timing.ts';
import {LearningPredictor} from '../src/forecast/settings/learningPredictor.ts';
import {clockShowing, systemClock} from '../src/live/clock.ts';
import {type DriverParts, drive} from '../src/live/drive.ts';
import {overheard, witnessed} from '../src/live/witness.ts';
import {runDashboard} from '../src/ui/app/runDashboard.ts';
import {bothEnd} from './bothEnd.ts';
import {LiveSource} from './dashboardSource.ts';
import {dashboardLook, screenTerminal} from './dashboardTerminal.ts';
import {dashboardAnswer} from './dashboardWhatIf.ts';
import {Deletions} from './deletions.ts';
import {keeperOf} from './learnedStore.ts';
import type {Options} from './options.ts';
import {feedOf, readVersion, selectionFor} from './reading.ts';
import {RelatedReader} from './relatedReader.ts';
import {settingsOfCluster} from './settings.ts';
import {unhurried} from './unhurried.ts';

/** The command without a name, on a terminal: the dashboard of a cluster, until it is left. */
export async function dashboard(options: Options): Promise<number> {
	const look = await dashboardLook(options);
	// One clock for everything: what arrived cannot lie in the future of a forecast.
	const timing = {...systemTiming, now: systemClock.now};
	const cluster = await connect(options.flags, systemSurroundings(), timing);
	const stop = new AbortController();
	try {
		const [version, controlPlane] = await Promise.all([readVersion(cluster), cluster.controlPlane()]);
		const {evidence} = await settingsOfCluster(options.controller, version, controlPlane);
		const predictor = new LearningPredictor(
			evidence,
			keeperOf(controlPlane.clusterUid, version, cluster.now),
		);
		const deletions = new Deletions();
		const selection = selectionFor(options, undefined);
		const related = new RelatedReader((query) => cluster.related(query), cluster.now);
		const source = new LiveSource({
			related: (pods) => related.of(pods),
			whatIf: (target, now) => dashboardAnswer(target, predictor.forecaster, now, related.known),
			title: options.flags.context ?? new URL(cluster.server).host,
			version,
			now: cluster.now,
			explain: (target, now) => predictor.explain(target, now),
			settings: () => predictor.settings,
			happenings: () => deletions.happenings,
			falseAlarms: () => deletions.falseAlarms,
			isPartial: selection.pods.type !== 'all',
		});
		const feed = feedOf(cluster, selection, cluster.namespace, (problems) =>
			source.reportProblems([...options.controller.notes, ...problems]),
		);
		const parts: DriverParts = {
			clock: clockShowing(cluster.now),
			predictor: unhurried(predictor),
			feed: overheard(feed, (observations, arrivedAt) => source.heard(observations, arrivedAt)),
			publish: async (forecast, now) => source.publish(forecast, now),
		};
		const driving = drive(witnessed(parts, deletions), stop.signal).finally(() => stop.abort());
		const shown = runDashboard(
			{...look, source, namespace: options.flags.namespace, hasMenu: false},
			screenTerminal(!options.flags.noAltScreen),
			stop.signal,
		).finally(() => stop.abort());
		const {exitCode} = await bothEnd(driving, shown);
		return exitCode;
	} finally {
		stop.abort();
		await cluster.close();
	}
}
