import {taintOutOfService} from '../core/model/taint.ts';
import type {Related} from '../core/model/workloads/related.ts';
import type {Instant} from '../core/time/instant.ts';
import type {Forecast} from '../forecast/forecast.ts';
import type {PodForecast} from '../forecast/podForecast.ts';
import type {WhatIf} from '../forecast/whatif/whatIf.ts';

/** What tainting a node out-of-service does: to its pods, and to the volumes attached to it. */
export type OutOfServicePreview = {
	readonly node: string;
	/** Whether the node is ready: then nothing is forced, and its kubelet ends what is deleted. */
	readonly isReady: boolean;
	/** Pods that do not tolerate it: their deletion is asked for at once. */
	readonly deleted: readonly PodForecast[];
	/** Pods that were on their way out, and hang. */
	readonly terminating: readonly PodForecast[];
	/** Pods that tolerate it. */
	readonly staying: readonly PodForecast[];
	/** Names of the persistent volumes that are detached at once, once their pods are gone. */
	readonly volumes: readonly string[];
};

/** Looks ahead for each node that is supposed to be tainted so. */
export function outOfServicePreviews(
	forecast: Forecast,
	{changes, pods}: WhatIf,
	related: Related,
): readonly OutOfServicePreview[] {
	// A node that was deleted before cannot be tainted.
	const isGone = (node: string, at: Instant) =>
		changes.some((one) => one.type === 'deleteNode' && one.node === node && one.at <= at);
	const nodes = changes.flatMap((change) =>
		change.type === 'taint' && change.taint.key === taintOutOfService && !isGone(change.node, change.at)
			? [change.node]
			: [],
	);
	return [...new Set(nodes)].map((node) => {
		const ofNode = pods.filter(({before}) => before.node === node);
		const isDeleted = ({after}: WhatIf['pods'][number]) => after.cause?.kind === 'OutOfService';
		const isTerminating = ({before}: WhatIf['pods'][number]) => before.verdict === 'Terminating';
		const known = forecast.nodes.find(({name}) => name === node);
		return {
			node,
			isReady: known?.ready === 'True',
			deleted: ofNode.filter(isDeleted).map(({after}) => after),
			terminating: ofNode.filter(isTerminating).map(({before}) => before),
			staying: ofNode.filter((one) => !isDeleted(one) && !isTerminating(one)).map(({after}) => after),
			volumes: related.attachments.filter((one) => one.node === node).map(({volume}) => volume),
		};
	});
}
