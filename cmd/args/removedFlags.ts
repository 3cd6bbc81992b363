import {UserError} from '../../src/text/userError.ts';

const twoReplicas = 'run two replicas, as deploy/base does: alert rules aggregate over them';
const alertmanager =
	'let Prometheus scrape --listen: the rules in deploy/prometheus-operator tell Alertmanager, and that tells people';

/** Flags that an earlier release had, and what to do instead. */
const removedFlags = new Map(
	Object.entries({
		'leader-elect': twoReplicas,
		'leader-elect-resource-name': twoReplicas,
		'leader-elect-resource-namespace': twoReplicas,
		notify: alertmanager,
		'notify-format': alertmanager,
		'notify-token-file': alertmanager,
		history:
			'divergences are counted in evictwatch_divergences_total and evictwatch_divergences_ended_total, and --log-format json logs each',
	}),
);

/** The error for a flag that there is not any more; undefined where there never was one of that name. */
export function removedFlag(name: string): UserError | undefined {
	const hint = removedFlags.get(name);
	return hint === undefined ? undefined : new UserError(`--${name} has been removed`, hint);
}
