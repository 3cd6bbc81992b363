import type {TimedEffect} from '../core/simulation/effect.ts';
import type {DemoEvent} from './encodeOthers.ts';
import type {ObjectStore} from './objectStore.ts';

const nodeController = 'node-controller';
const taintController = 'taint-eviction-controller';

/** The Event that the controllers post when they do something; undefined where they post none. The store tells the
 * uids, as it holds what has just gone. */
export function eventOf({at, effect}: TimedEffect, store: ObjectStore): DemoEvent | undefined {
	switch (effect.type) {
		case 'nodeCondition': {
			if (effect.condition !== 'Ready' || effect.status === 'True') return undefined;
			const involvedObject = {
				kind: 'Node',
				name: effect.node,
				uid: store.get('nodes', effect.node)?.metadata.uid ?? '',
			};
			const message = `Node ${effect.node} status is now: NodeNotReady`;
			return {involvedObject, type: 'Normal', reason: 'NodeNotReady', message, component: nodeController, at};
		}
		case 'podDeleted':
		case 'evictionCancelled': {
			const [namespace = '', name = ''] = effect.pod.split('/');
			const involvedObject = {
				kind: 'Pod',
				namespace,
				name,
				uid: store.get('pods', name, namespace)?.metadata.uid ?? '',
			};
			const what = effect.type === 'podDeleted' ? 'Marking for deletion' : 'Cancelling deletion of';
			const message = `${what} Pod ${effect.pod}`;
			const reason = 'TaintManagerEviction';
			return {involvedObject, type: 'Normal', reason, message, component: taintController, at};
		}
		default:
			return undefined;
	}
}
