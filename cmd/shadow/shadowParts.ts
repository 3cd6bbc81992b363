import {systemClock} from '../../src/live/clock.ts';
import {History} from '../../src/shadow/history/history.ts';
import {LatestView} from '../../src/shadow/latestView.ts';
import type {Log} from '../../src/shadow/log/log.ts';
import type {ShadowListener} from '../../src/shadow/shadowView.ts';
import type {Options} from '../args/options.ts';
import {Closers} from '../output/closers.ts';
import {takePart} from './shadowLeader.ts';
import {logging, logOf} from './shadowLog.ts';
import {startMetrics} from './shadowMetrics.ts';
import {startNotifying} from './shadowNotify.ts';
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
	/** Brings everything to its end: what waits is told, the lease is given back, answers that have begun are whole. */
	readonly close: () => Promise<void>;
};

/** Starts what the flags of a shadow ask for. @throws UserError where one of them cannot be had. */
export async function shadowParts({flags}: Pick<Options, 'flags'>): Promise<ShadowParts> {
	const closers = new Closers();
	try {
		const log = logOf(flags);
		const latest = new LatestView(systemClock.now);
		const history = flags.history === undefined ? undefined : openHistory(flags.history, log);
		if (history) closers.add(() => history.close());
		const leadership = await takePart(flags, log);
		if (leadership) closers.add(leadership.close);
		const mayTell = leadership?.isLeader ?? (() => true);
		const notifying = startNotifying({flags, history, log, mayTell});
		closers.add(notifying.close);
		const {metrics, close} = startMetrics({flags, latest, log, leadership, notifying});
		closers.add(close);
		const server = await serveShadow({flags, latest, metrics, log});
		// Until everything else has ended it says that this process is stopping.
		if (server) closers.addLast(server.close);
		let isStopping = false;
		const stop = () => {
			if (!isStopping) log.info('stopping');
			isStopping = true;
			server?.stop();
		};
		const jsonLog = flags.logFormat === 'json' ? log : undefined;
		const logged = jsonLog && logging(jsonLog);
		const listeners: readonly ShadowListener[] = [
			{
				matched: () => undefined,
				diverged: () => undefined,
				changed: (view) => {
					latest.changed(view);
					server?.changed(view);
				},
			},
			...(logged ? [logged] : []),
			metrics,
			{
				matched: () => undefined,
				diverged: (divergence) => {
					history?.record(divergence);
					notifying.listener.diverged(divergence);
				},
				changed: notifying.listener.changed,
			},
		];
		return {
			listeners,
			jsonLog,
			url: server?.url,
			stop,
			close: async () => {
				stop();
				await closers.close();
			},
		};
	} catch (error) {
		await closers.close();
		throw error;
	}
}

const openHistory = (folder: string, log: Log): History =>
	History.open(folder, (error) => log.error('the history cannot be written any more', {folder, error}));
