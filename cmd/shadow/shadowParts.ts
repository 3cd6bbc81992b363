import {systemClock} from '../../src/live/clock.ts';
import {createLog, type Log} from '../../src/shadow/log.ts';
import {LatestView, type ShadowListener} from '../../src/shadow/shadowView.ts';
import {writeMessage} from '../../src/text/streams.ts';
import type {FlagValues, Options} from '../args/options.ts';
import {startMetrics} from './shadowMetrics.ts';
import {serveShadow} from './shadowServer.ts';

export type ShadowParts = {
	readonly listeners: readonly ShadowListener[];
	/** The JSON log; undefined if the log is text. */
	readonly jsonLog: Log | undefined;
	/** The address of the HTTP server; undefined without one. */
	readonly url: string | undefined;
	/** Announces the end: `/readyz` answers 503 from here on; everything else continues. */
	readonly stop: () => void;
	/** Ends everything; responses that have begun are completed. */
	readonly close: () => Promise<void>;
};

/** Starts what the flags of a shadow ask for. @throws UserError if one of them fails */
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
	const listeners = [latest, ...(server ? [server] : []), ...(jsonLog ? [logging(jsonLog)] : []), metrics];
	return {
		listeners,
		jsonLog,
		url: server?.url,
		stop,
		close: async () => {
			stop();
			close();
			// Last, as it reports the stop until everything else has ended.
			await server?.close();
		},
	};
}

const logOf = ({logFormat = 'text', logLevel = 'info'}: FlagValues): Log =>
	createLog({
		format: logFormat,
		level: logLevel,
		now: systemClock.now,
		write: (line) => void writeMessage(line),
	});

function logging(log: Log): ShadowListener {
	const logged = {hasSynced: false, isUp: null as boolean | null, gap: null as number | null};
	return {
		matched: ({action, zone, error, isInside}) =>
			log.debug('as predicted', {action, zone, errorMilliseconds: error, isInside}),
		diverged: (divergence) => {
			const {isAlarm, endedAt} = divergence;
			if (endedAt !== null) log.info('a divergence ended', divergence);
			else if (isAlarm) log.warn('a divergence', divergence);
			else log.info('a divergence that is no alarm', divergence);
		},
		changed: ({hasSynced, forecast, controller, gaps}) => {
			if (hasSynced && !logged.hasSynced) {
				log.info('the cluster was read whole', {nodes: forecast.nodes.length, pods: forecast.pods.length});
			}
			if (controller.isUp !== logged.isUp) {
				log.info('the controllers', {isUp: controller.isUp, leader: controller.leader});
			}
			const open = gaps.find(({until}) => until === null);
			if (open && open.from !== logged.gap) log.warn('not all of the cluster is seen', {reason: open.reason});
			if (!open && logged.gap !== null) log.info('all of the cluster is seen again');
			Object.assign(logged, {hasSynced, isUp: controller.isUp, gap: open?.from ?? null});
		},
	};
}
