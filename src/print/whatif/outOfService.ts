import {podKey} from '../../core/model/pod.ts';
import type {PodForecast} from '../../forecast/podForecast.ts';
import {linked} from '../../forecast/words.ts';
import type {OutOfServicePreview} from '../../impact/outOfService.ts';
import type {AnswerPage} from '../answerPage.ts';
import {fieldsOf} from '../json/jsonOf.ts';

/** The effect of tainting a node out-of-service, with its warning. */
export function formatOutOfService(preview: OutOfServicePreview, page: AnswerPage): string {
	const {node, isReady, deleted, terminating, staying, volumes} = preview;
	const line = (what: string, pods: readonly PodForecast[]) =>
		linked(': ', `${pods.length} ${what}`, pods.map(podKey).join(', '));
	const forced = isReady
		? 'The node is ready: its kubelet ends these pods in their own time, and nothing is forced.'
		: 'The node is not ready: the pod garbage collector deletes these by force within 20 s.';
	const lines = [
		line('deleted at once', deleted),
		line('Terminating already', terminating),
		forced,
		line('stay, since they tolerate it', staying),
		volumes.length === 0
			? 'No volume that is attached to it is seen.'
			: `${volumes.length} volumes are detached at once, not after 6 min: ${volumes.join(', ')}.`,
		`Warning: be sure that ${node} is off, or cut off from its storage. A machine that still runs keeps writing to volumes that other pods now use, and may destroy their data.`,
	];
	return `Out of service: what the taint does to node ${node}\n${lines.map((text) => page.wrap(text, '    ')).join('')}`;
}

export const outOfServiceJson = ({deleted, terminating, staying, ...preview}: OutOfServicePreview) => ({
	...preview,
	deleted: deleted.map(nameOf),
	terminating: terminating.map(nameOf),
	staying: staying.map(nameOf),
});

const nameOf = (pod: PodForecast) => fieldsOf(pod, 'namespace', 'name');
