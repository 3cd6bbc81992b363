import type {Cluster} from '../../src/cluster/cluster.ts';
import type {Selection} from '../../src/cluster/transport/selection.ts';
import type {FirstLook} from '../../src/forecast/firstLook.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {PressuredNodes} from '../../src/forecast/pressure/observe/pressuredNodes.ts';
import {type ClusterForecast, type ForecastSummary, summarize} from '../../src/impact/clusterForecast.ts';
import {clockShowing, systemClock} from '../../src/live/clock.ts';
import {ClusterSource} from '../../src/session/clusterSource.ts';
import {Session} from '../../src/session/session.ts';
import type {PodsReading} from '../../src/ui/scene/scene.ts';
import {connectionOf} from '../args/connection.ts';
import type {Options} from '../args/options.ts';
import {Deletions} from '../sources/deletions.ts';
import {learningOf} from '../sources/learningOf.ts';
import {PressureStage} from '../sources/pressureStage.ts';
import {selectionFor} from '../sources/reading.ts';
import type {RelatedReader} from '../sources/relatedReader.ts';
import {allSettings} from './allSettings.ts';
import type {LiveSource} from './dashboardSource.ts';
import {liveScreen} from './liveScreen.ts';
import type {Saver} from './saver.ts';

/** A cluster followed for the dashboard, shown or not; learned settings and score continue. */
export class OpenCluster {
	readonly source: LiveSource;
	/**
	 * Settles when the cluster is no longer followed. Rejects if it cannot be followed, or if another cluster answers.
	 */
	readonly followed: Promise<void>;
	readonly #cluster: Cluster;
	readonly #related: RelatedReader;
	readonly #saver: Saver;
	readonly #stop = new AbortController();
	#summed: {readonly of: Forecast; readonly summary: ForecastSummary} | undefined;

	private constructor(
		cluster: Cluster,
		{source, related, saver}: {source: LiveSource; related: RelatedReader; saver: Saver},
		follow: (signal: AbortSignal) => Promise<void>,
	) {
		this.#cluster = cluster;
		this.source = source;
		this.#related = related;
		this.#saver = saver;
		this.followed = follow(this.#stop.signal);
		// Whoever shows it handles the rejection.
		this.followed.catch(() => undefined);
	}

	/** Starts to follow a cluster. @throws UserError if it does not answer */
	static async begin(cluster: Cluster, options: Options, title: string): Promise<OpenCluster> {
		cluster.listEarly();
		const {version, controlPlane, inForce, known} = await learningOf(cluster, options.controller);
		const {store, forecaster} = known;
		const [pressure, kubelets] = [new PressureStage(store, true), new PressuredNodes(store)];
		const deletions = new Deletions(store);
		let reading: PodsReading;
		const showNodes = (look: FirstLook) => screen.source.showNodes(look.census());
		const selection: Selection = {
			...{...selectionFor(options, forecaster, showNodes), kubernetesVersion: version},
			onProgress: (progress) => {
				reading = progress;
			},
		};
		const isPartial = selection.pods.type !== 'all';
		const followed = {cluster, forecaster, pressure, kubelets, inForce, connection: connectionOf(options)};
		const screen = liveScreen(followed, {
			...{title, version, isPartial, notes: options.controller.notes},
			settings: allSettings(forecaster, controlPlane),
			happenings: () => deletions.happenings,
			falseAlarms: () => deletions.falseAlarms,
			cost: () => cluster.traffic(),
			reading: () => reading,
		});
		const session = new Session({
			...{...known, ...screen.session, ledger: deletions, display: screen.source},
			stages: [pressure, ...screen.session.stages],
		});
		const watched = new ClusterSource(cluster, selection, cluster.namespace, kubelets);
		return new OpenCluster(cluster, screen, (signal) =>
			session.run(watched, clockShowing(cluster.now), signal),
		);
	}

	/** Stops following it and finishes its recording. @throws UserError if that fails */
	async close(): Promise<void> {
		this.#stop.abort();
		await this.followed.catch(() => undefined);
		await this.#saver.close();
	}

	/** Its state as a row of several clusters. */
	asMember(name: string): ClusterForecast {
		const {forecast, link, heardAt} = this.source.get();
		const isCounted = forecast !== undefined && !this.source.isCensus;
		const clockOffset = this.#cluster.now() - systemClock.now();
		return {
			...{name, server: this.#cluster.server, clockOffset},
			status: link.state === 'live' ? 'Reachable' : link.state === 'lost' ? 'Unreachable' : 'Connecting',
			heardAt: heardAt === undefined ? undefined : heardAt - clockOffset,
			summary: isCounted ? this.#summaryOf(forecast) : undefined,
			problems: forecast?.problems ?? [],
		};
	}

	#summaryOf(forecast: Forecast): ForecastSummary {
		if (this.#summed?.of !== forecast)
			this.#summed = {of: forecast, summary: summarize(forecast, this.#related.of(forecast))};
		return this.#summed.summary;
	}
}
