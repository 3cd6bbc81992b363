import {systemClock} from '../../src/live/clock.ts';
import {createLog, type Log} from '../../src/shadow/log.ts';
import type {ShadowListener} from '../../src/shadow/shadowView.ts';
import {LatestView} from '../../src/shadow/shadowView.ts';
import {writeMessage} from '../../src/text/streams.ts';
import type {FlagValues, Options} from '../args/options.ts';
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
	const listeners = [latest, ...(server ? [server] : []), ...(jsonLog ? [logging(jsonLog)] : []), metrics];
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

/** The log that the flags ask for, on stderr. */
const logOf = ({logFormat = 'text', logLevel = 'info'}: FlagValues): Log =>
	createLog({
		format: logFormat,
		level: logLevel,
		now: systemClock.now,
		write: (line) => void writeMessage(line),
	});

/** Logs what happens, once each. */
function logging(log: Log): ShadowListener {
	const said = {hasSynced: false, isUp: null as boolean | null, gap: null as number | null};
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
			if (hasSynced && !said.hasSynced) {
				log.info('the cluster was read whole', {nodes: forecast.nodes.length, pods: forecast.pods.length});
			}
			if (controller.isUp !== said.isUp) {
				log.info('the controllers', {isUp: controller.isUp, leader: controller.leader});
			}
			const open = gaps.find(({until}) => until === null);
			if (open && open.from !== said.gap) log.warn('not all of the cluster is seen', {reason: open.reason});
			if (!open && said.gap !== null) log.info('all of the cluster is seen again');
			Object.assign(said, {hasSynced, isUp: controller.isUp, gap: open?.from ?? null});
		},
	};
}
