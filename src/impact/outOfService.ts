import {unique} from '../core/collections/unique.ts';
import {taintOutOfService} from '../core/model/taint.ts';
import type {Related} from '../core/model/workloads/related.ts';
import type {Instant} from '../core/time/instant.ts';
import type {Forecast} from '../forecast/forecast.ts';
import type {PodForecast} from '../forecast/podForecast.ts';
import type {WhatIf} from '../forecast/whatif/whatIf.ts';

/** The effect of tainting a node out-of-service, on its pods and attached volumes. */
export type OutOfServicePreview = Readonly<{
	node: string;
	/** Whether the node is ready: then nothing is forced, and its kubelet ends deleted pods. */
	isReady: boolean;
	/** Pods that do not tolerate the taint; their deletion is requested at once. */
	deleted: readonly PodForecast[];
	/** Pods that were already stuck Terminating. */
	terminating: readonly PodForecast[];
	/** Pods that tolerate the taint. */
	staying: readonly PodForecast[];
	/** Names of the persistent volumes that are detached as soon as their pods are gone. */
	volumes: readonly string[];
}>;

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
	return unique(nodes).map((node) => {
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
