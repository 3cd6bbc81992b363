import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import type {Problem} from '../../core/model/problem.ts';
import {type Duration, second} from '../../core/time/instant.ts';
import {risksOf} from './risks.ts';
import {timeBudget} from './timeBudget.ts';

/** The settings that delete pods within a wanted time after their node's last renewal. */
export type Advice = Readonly<{
	want: Duration;
	/** The tolerationSeconds that achieve it; null if none do. */
	tolerationSeconds: number | null;
	/** If none do: the grace period that would, with tolerationSeconds 0; null if none would. */
	nodeMonitorGracePeriod: Duration | null;
	/** The shortest time that tolerations alone achieve; null if pods are not evicted at all. */
	least: Duration | null;
	risks: readonly Problem[];
}>;

/** Determines the settings for a wanted time. The grace period is the last resort: a short one makes nodes flap. */
export function adviceFor(
	want: Duration,
	settings: ControllerSettings,
	renewInterval: Duration,
	nodes: number,
): Advice {
	const none = {want, tolerationSeconds: null, nodeMonitorGracePeriod: null, risks: []};
	const least = leastFor(settings, nodes);
	if (least === null) return {...none, least};
	if (least <= want) return {...none, least, tolerationSeconds: Math.floor((want - least) / second)};
	const grace = graceFor(want, settings, nodes);
	if (grace === null) return {...none, least};
	const changed = {...settings, nodeMonitorGracePeriod: grace};
	const known = new Set(risksOf(settings, renewInterval).map(({reason}) => reason));
	const risks = risksOf(changed, renewInterval);
	// Risks that exist already are left out, unless they are about the grace period.
	const ofGrace = risks.filter(({reason}) => /Grace/.test(reason) || !known.has(reason));
	return {...none, least, nodeMonitorGracePeriod: grace, risks: ofGrace};
}

const leastFor = (settings: ControllerSettings, nodes: number): Duration | null =>
	timeBudget(settings, 0, nodes).total?.hi ?? null;

/** The longest grace period, in whole seconds, with which pods without tolerations are deleted in time. */
function graceFor(want: Duration, settings: ControllerSettings, nodes: number): Duration | null {
	for (let grace = Math.floor(want / second) * second; grace >= second; grace -= second) {
		const least = leastFor({...settings, nodeMonitorGracePeriod: grace}, nodes);
		if (least !== null && least <= want) return grace;
	}
	return null;
}
