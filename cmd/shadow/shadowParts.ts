import {systemClock} from '../../src/live/clock.ts';
import {LatestView} from '../../src/shadow/latestView.ts';
import type {Log} from '../../src/shadow/log/log.ts';
import type {ShadowListener} from '../../src/shadow/shadowView.ts';
import type {Options} from '../args/options.ts';
import {logging, logOf} from './shadowLog.ts';
import {startMetrics} from './shadowMetrics.ts';
import {serveShadow} from './shadowServer.ts';

/** All that listens to a shadow, running. */
export type ShadowParts = {
	readonly listeners: readonly ShadowListener[];
	/** The log, where it is for machines and says all that there is to say; undefined where people read. */
	readonly jsonLog: Log | undefined;
	/** Where pages are served; undefined where none are. */
	readonly url: string | undefined;
	/** Says that the end comes: `/readyz` answers 503 from here on, and everything else goes on. */
	readonly stop: () => void;
	/** Brings everything to its end: answers that have begun are whole. */
	readonly close: () => Promise<void>;
};

/** Starts what the flags of a shadow ask for. @throws UserError where one of them cannot be had. */
export async function shadowParts({flags}: Pick<Options, 'flags'>): Promise<ShadowParts> {
	const log = logOf(flags);
	const latest = new LatestView(systemClock.now);
	const {metrics, close} = startMetrics({flags, latest, log});
	const server = await serveShadow({flags, latest, metrics, log}).catch((error: unknown) => {
		close();
		throw error;
	});
	let isStopping = false;
	const stop = () => {
		if (!isStopping) log.info('stopping');
		isStopping = true;
		server?.stop();
	};
	const jsonLog = flags.logFormat === 'json' ? log : undefined;
	const listeners: readonly ShadowListener[] = [
		{
			matched: () => undefined,
			diverged: () => undefined,
			changed: (view) => {
				latest.changed(view);
				server?.changed(view);
			},
		},
		...(jsonLog ? [logging(jsonLog)] : []),
		metrics,
	];
	return {
		listeners,
		jsonLog,
		url: server?.url,
		stop,
		close: async () => {
			stop();
			close();
			// Until everything else has ended it says that this process is stopping.
			await server?.close();
		},
	};
}
