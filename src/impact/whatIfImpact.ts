import type {Related} from '../core/model/workloads/related.ts';
import type {Forecast} from '../forecast/forecast.ts';
import type {PodChange, WhatIf} from '../forecast/whatif/whatIf.ts';
import {afterChanges} from './afterChanges.ts';
import {type OutOfServicePreview, outOfServicePreviews} from './outOfService.ts';
import {podsWithAfter} from './withAfter.ts';
import {type WorkloadImpact, workloadImpacts} from './workloadImpact.ts';

/** A workload as it is forecast, and as it would be; undefined where it loses nothing. */
export type WorkloadChange = {
	readonly before: WorkloadImpact | undefined;
	readonly after: WorkloadImpact | undefined;
};

/** A what-if with its consequences for pods and workloads. */
export type WhatIfImpact = {
	readonly pods: readonly PodChange[];
	readonly workloads: readonly WorkloadChange[];
	/** For each node that is supposed to be tainted out-of-service. */
	readonly outOfService: readonly OutOfServicePreview[];
};

/** Adds the consequences for workloads to a what-if. */
export function whatIfImpact(forecast: Forecast, whatIf: WhatIf, related: Related): WhatIfImpact {
	const then = afterChanges(forecast, whatIf);
	const told = (one: Forecast) => ({...one, pods: podsWithAfter(one, related)});
	const [before, after] = [told(forecast), told(then)];
	const keyOf = ({namespace, name}: {readonly namespace: string; readonly name: string}) =>
		`${namespace}/${name}`;
	const podsBefore = new Map(before.pods.map((pod) => [keyOf(pod), pod]));
	const podsAfter = new Map(after.pods.map((pod) => [keyOf(pod), pod]));
	const pods = whatIf.pods.map((pod) => ({
		...pod,
		before: podsBefore.get(keyOf(pod.before)) ?? pod.before,
		after: podsAfter.get(keyOf(pod.after)) ?? pod.after,
	}));
	const workloads = workloadChanges(workloadImpacts(before, related), workloadImpacts(after, related));
	return {pods, workloads, outOfService: outOfServicePreviews(forecast, whatIf, related)};
}

function workloadChanges(
	before: readonly WorkloadImpact[],
	after: readonly WorkloadImpact[],
): readonly WorkloadChange[] {
	const keyOf = ({namespace, kind, name}: WorkloadImpact) => `${namespace}/${kind}/${name}`;
	const [first, second] = [before, after].map((impacts) => new Map(impacts.map((one) => [keyOf(one), one])));
	const keys = new Set([...(second?.keys() ?? []), ...(first?.keys() ?? [])]);
	return [...keys].map((key) => ({before: first?.get(key), after: second?.get(key)}));
}
