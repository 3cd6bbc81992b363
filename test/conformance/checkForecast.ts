import {Decoder} from '../../src/cluster/codec/decoder.ts';
import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import type {Observation} from '../../src/core/model/observation.ts';
import {settingsFor} from '../../src/core/model/versionProfile.ts';
import {Forecaster} from '../../src/forecast/forecaster.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {type Case, caseOf} from '../lab/accuracy/calibration.ts';
import {feed, listAgain} from '../support/feed.ts';
import {settingsOf} from '../support/scenario/scenarioObjects.ts';
import {blogFormula} from './blogFormula.ts';
import type {ForecastVector, Listed, Watched} from './forecastVector.ts';

/** How one pod's forecast compares with what happened. */
export type Score = {
	readonly vector: string;
	readonly pod: string;
	readonly look: 'cold' | 'warm';
	readonly verdict: PodForecast['verdict'] | 'none';
	/** The deletion's time, in milliseconds from the forecast; undefined if the pod stayed. */
	readonly truth: number | undefined;
	readonly range: readonly [earliest: number, latest: number | null] | undefined;
	readonly isRight: boolean;
	/** Whether it was forecast to be evicted, and stayed. */
	readonly isAlarm: boolean;
	/** What its odds are judged by; undefined if it leaves nothing open. */
	readonly odds: Case | undefined;
	/** The same for the blog formula. */
	readonly blog: {readonly isRight: boolean; readonly isAlarm: boolean};
};

const tolerance = 1000;
/** A number without a range counts as right within a monitor period. */
const blogTolerance = 5000;

/** Makes a forecast from one list and one from a minute of watching, and scores each pod. */
export function scoreForecasts(vector: ForecastVector): readonly Score[] {
	return [...score(vector, 'cold'), ...score(vector, 'warm')];
}

function score(vector: ForecastVector, look: Score['look']): readonly Score[] {
	const now = Date.parse(vector.now.now);
	const forecast = makeForecaster(vector, look).forecast(now);
	const byBlog = blogFormula(snapshotOf(vector.now, vector, new Decoder()), settingsOfVector(vector));
	const origin = now - vector.now.at;
	const deletions = new Map<string, number>();
	for (const {kind, pod, at} of vector.truth ?? []) {
		if (kind === 'pod-deleted' && pod !== undefined && !deletions.has(pod)) deletions.set(pod, origin + at);
	}
	return forecast.pods.map((pod): Score => {
		const key = `${pod.namespace}/${pod.name}`;
		const truth = deletions.get(key);
		const {eviction} = pod;
		const isInside =
			truth !== undefined &&
			eviction !== null &&
			truth >= eviction.earliest - tolerance &&
			truth <= (eviction.latest ?? Number.POSITIVE_INFINITY) + tolerance;
		const isDue = eviction !== null && eviction.latest !== null && eviction.latest < origin + vector.until;
		return {
			vector: vector.name,
			pod: key,
			look,
			verdict: pod.verdict,
			truth: truth === undefined ? undefined : truth - now,
			range: eviction
				? [eviction.earliest - now, eviction.latest === null ? null : eviction.latest - now]
				: undefined,
			isRight: truth === undefined ? !isDue : isInside,
			isAlarm: truth === undefined && isDue,
			odds: caseOf(vector.name, pod, look, now, truth, origin + vector.until),
			blog: blogScore(byBlog.get(key), truth, origin + vector.until),
		};
	});
}

function blogScore(said: number | undefined, truth: number | undefined, until: number): Score['blog'] {
	const isAlarm = truth === undefined && said !== undefined && said < until;
	if (truth === undefined) return {isRight: !isAlarm, isAlarm};
	return {isRight: said !== undefined && Math.abs(said - truth) <= blogTolerance, isAlarm};
}

const settingsOfVector = ({config, kubernetesVersion}: ForecastVector) =>
	settingsOf(config, settingsFor(kubernetesVersion));

function makeForecaster(vector: ForecastVector, look: Score['look']): Forecaster {
	const decoder = new Decoder();
	const forecaster = new Forecaster(settingsOfVector(vector));
	const present = snapshotOf(vector.now, vector, decoder);
	if (look === 'cold') {
		forecaster.observeSnapshot(present);
		return forecaster;
	}
	const before = snapshotOf(vector.before, vector, decoder);
	forecaster.observeSnapshot(before);
	const origin = Date.parse(vector.now.now) - vector.now.at;
	let seenUntil = before.observedAt;
	for (const event of vector.watched ?? []) {
		const observation = observationOf(event, decoder);
		if (!observation) continue;
		seenUntil = origin + event.at;
		feed(forecaster, [observation], seenUntil);
	}
	listAgain(forecaster, present, seenUntil);
	return forecaster;
}

function snapshotOf(listed: Listed, {kubernetesVersion}: ForecastVector, decoder: Decoder): ClusterSnapshot {
	return {
		observedAt: Date.parse(listed.now),
		source: 'file',
		kubernetesVersion,
		nodes: listed.nodes.flatMap((node) => decoder.node.decode(node) ?? []),
		leases: listed.leases.flatMap((lease) => decoder.lease.decode(lease) ?? []),
		pods: (listed.pods ?? []).flatMap((pod) => decoder.pod.decode(pod) ?? []),
		problems: [],
	};
}

function observationOf({type, kind, object}: Watched, decoder: Decoder): Observation | undefined {
	if (kind === 'Node') {
		const node = decoder.node.decode(object);
		if (!node) return undefined;
		return type === 'DELETED' ? {type: 'nodeDeleted', name: node.name} : {type: 'nodeApplied', node};
	}
	if (kind === 'Pod') {
		const pod = decoder.pod.decode(object);
		if (!pod) return undefined;
		return type === 'DELETED'
			? {type: 'podDeleted', namespace: pod.namespace, name: pod.name}
			: {type: 'podApplied', pod};
	}
	const lease = decoder.lease.decode(object);
	return lease && type !== 'DELETED' ? {type: 'leaseApplied', lease} : undefined;
}
