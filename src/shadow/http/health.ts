import {type Duration, minute} from '../../core/time/instant.ts';
import {formatTimestamp} from '../../dates/utc.ts';
import {type LatestView, openGap} from '../shadowView.ts';
import {type HttpRoute, plainAnswer} from './answer.ts';

/** Forecasts are made every second, for a large cluster every few seconds. Without one for this time, the process is stuck. */
const longestSilence: Duration = 5 * minute;

/** A health check; `failure` is null if it passes. */
type Check = {readonly name: string; readonly failure: string | null};

/**
 * Liveness and readiness. The process is live while forecasts are made, even if the cluster is unreachable: a restart would
 * lose its history. It is ready once the whole cluster was read, while all of it is watched, until it is stopped.
 */
export function healthOf(latest: LatestView) {
	let isStopping = false;
	/** The checks of `/livez`: whether a restart would help. */
	const live = (): readonly Check[] => {
		const {age} = latest;
		const isStuck = age > longestSilence;
		return [{name: 'forecasts', failure: isStuck ? `none for ${Math.round(age / minute)} minutes` : null}];
	};
	return {
		live,
		/** Makes the process unready, so that it gets no more traffic. */
		stop: () => {
			isStopping = true;
		},
		/** The checks of `/readyz`: whether the data can be trusted. */
		ready: (): readonly Check[] => {
			const {view} = latest;
			const gap = view && openGap(view);
			const watching = gap ? `not all of the cluster is seen since ${formatTimestamp(gap.from)}` : null;
			return [
				{name: 'synced', failure: view?.hasSynced ? null : 'the cluster has not been read whole yet'},
				{name: 'watching', failure: watching},
				{name: 'not-stopping', failure: isStopping ? 'this process is stopping' : null},
				...live(),
			];
		},
	};
}

/** Responds as Kubernetes components do: `ok`, or the result of each check. */
export const healthRoute =
	(name: string, checks: () => readonly Check[]): HttpRoute =>
	() => {
		const all = checks();
		if (all.every(({failure}) => failure === null)) return plainAnswer(200, 'ok\n');
		const lines = all.map((check) =>
			check.failure === null ? `[+]${check.name} ok` : `[-]${check.name} failed: ${check.failure}`,
		);
		return plainAnswer(503, `${lines.join('\n')}\n${name} check failed\n`);
	};
