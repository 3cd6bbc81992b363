import {systemClock} from '../../src/live/clock.ts';
import {createLog, type Log} from '../../src/shadow/log/log.ts';
import type {ShadowListener} from '../../src/shadow/shadowView.ts';
import {writeMessage} from '../../src/text/streams.ts';
import type {FlagValues} from '../args/options.ts';

/** The log that the flags ask for, on stderr. */
export const logOf = ({logFormat = 'text', logLevel = 'info'}: FlagValues): Log =>
	createLog({
		format: logFormat,
		level: logLevel,
		now: systemClock.now,
		write: (line) => void writeMessage(line),
	});

/** Logs what happens, once each. */
export function logging(log: Log): ShadowListener {
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
