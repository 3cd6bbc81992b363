import {formatGoDuration} from '../../core/model/goValues.ts';
import type {Problem} from '../../core/model/problem.ts';
import type {Advice} from '../../forecast/settings/advice.ts';
import type {BudgetStep, TimeBudget} from '../../forecast/settings/timeBudget.ts';
import type {SettingsCheckJson, TakesJson} from '../contract/settings.ts';
import {apiVersion, problemsJson, sourceJson} from '../json/json.ts';
import {textTable} from '../tables/tabWriter.ts';
import type {SettingsHeader} from './settings.ts';

/** The result of `settings --check`. */
export type SettingsCheck = {
	readonly budget: TimeBudget;
	readonly risks: readonly Problem[];
	/** Present if a target for the total was given. */
	readonly advice?: Advice;
};

type Takes = BudgetStep['takes'];

/** Formats the time budget, the risks, and the advised settings. */
export function formatSettingsCheck({budget, risks, advice}: SettingsCheck, showHeaders: boolean): string {
	const total = {from: 'last renewal', to: 'deletion', takes: budget.total, because: 'all of it'};
	const rows = [...budget.steps, total].map(({from, to, takes, because}) => [
		`${from} to ${to}`,
		formatTakes(takes),
		because,
	]);
	const table = textTable(['STEP', 'TAKES', 'BECAUSE'], rows, showHeaders);
	const risksText =
		risks.map(({reason, message}) => `Risk: ${reason}: ${message}\n`).join('') ||
		'No risky combination of settings.\n';
	return [table, risksText, ...(advice ? [adviceText(advice)] : [])].join('\n');
}

// Rounded to a tenth of a second; a pass takes less than that in most clusters.
function formatTakes(takes: Takes): string {
	if (takes === null) return 'never';
	const [from, to] = [tenths(takes.lo), tenths(takes.hi)].map(formatGoDuration);
	return from === to ? `${from}` : `${from}-${to}`;
}

const tenths = (duration: number) => Math.round(duration / 100) * 100;

function adviceText(advice: Advice): string {
	const {want, tolerationSeconds, nodeMonitorGracePeriod, least, risks} = advice;
	const within = `within ${formatGoDuration(want)} of the last renewal`;
	if (tolerationSeconds !== null) {
		return (
			`For deletions ${within}, set tolerationSeconds to ${tolerationSeconds}:\n` +
			'  in the pods, for node.kubernetes.io/not-ready and node.kubernetes.io/unreachable, effect NoExecute; or\n' +
			`  for new pods without one: kube-apiserver --default-not-ready-toleration-seconds=${tolerationSeconds} ` +
			`--default-unreachable-toleration-seconds=${tolerationSeconds}\n`
		);
	}
	if (least === null) return `No setting gives deletions ${within}: the controllers evict nothing.\n`;
	const first =
		`No tolerationSeconds gives deletions ${within}: with 0, they come up to ${formatGoDuration(tenths(least))} ` +
		'after it.\n';
	if (nodeMonitorGracePeriod === null) return `${first}No grace period does that either.\n`;
	const flag = `kube-controller-manager --node-monitor-grace-period=${formatGoDuration(nodeMonitorGracePeriod)}`;
	const against = risks.map(({message}) => `  but ${message}\n`).join('');
	return `${first}With tolerationSeconds 0 and ${flag} they are:\n${against}`;
}

export const settingsCheckJson = (
	{budget, risks, advice}: SettingsCheck,
	header: SettingsHeader,
): SettingsCheckJson => ({
	apiVersion,
	kind: 'SettingsCheck',
	metadata: sourceJson(header),
	budget: budget.steps.map(({from, to, takes, because}) => ({from, to, takes: takesJson(takes), because})),
	total: takesJson(budget.total),
	risks: problemsJson(risks),
	advice: advice
		? {
				want: formatGoDuration(advice.want),
				tolerationSeconds: advice.tolerationSeconds,
				nodeMonitorGracePeriod: optional(advice.nodeMonitorGracePeriod),
				least: optional(advice.least),
				risks: problemsJson(advice.risks),
			}
		: null,
});

const takesJson = (takes: Takes): TakesJson =>
	takes === null ? null : {earliest: formatGoDuration(takes.lo), latest: formatGoDuration(takes.hi)};

const optional = (duration: number | null) => (duration === null ? null : formatGoDuration(duration));
