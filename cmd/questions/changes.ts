import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import {type Pod, podKey} from '../../src/core/model/pod.ts';
import {taintOutOfService} from '../../src/core/model/taint.ts';
import {zoneKey, zoneLabel} from '../../src/core/model/zone.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {formatTimestamp} from '../../src/dates/utc.ts';
import type {Change, ChangeKind} from '../../src/forecast/simulate/change.ts';
import {tolerating} from '../../src/forecast/whatif/remedy.ts';
import {UserError} from '../../src/text/userError.ts';
import {didYouMean} from '../output/didYouMean.ts';
import type {ChangeRequest, RequestedTime} from './changeRequests.ts';

/** Where the names of a request are looked up. */
export type ChangeScene = Pick<ClusterSnapshot, 'nodes' | 'pods'> & {
	readonly now: Instant;
	/** Where pods without a namespace are; undefined for any. */
	readonly namespace: string | undefined;
};

/**
 * Finds what is meant.
 *
 * @throws UserError where something does not exist, or lies in the past.
 */
export function changesOf(requests: readonly ChangeRequest[], scene: ChangeScene): readonly Change[] {
	return requests.flatMap((request) => {
		const at = instantOf(request.time, scene.now, request.flag);
		return kindsOf(request, scene).map((kind): Change => ({at, ...kind}));
	});
}

function instantOf(time: RequestedTime, now: Instant, flag: string): Instant {
	const at = 'at' in time ? time.at : now + time.after;
	if (at >= now) return at;
	const hint = `the forecast is of ${formatTimestamp(now)}: give a later time, or one from then, as in @+2m`;
	throw new UserError(`--${flag}: ${formatTimestamp(at)} is over`, hint);
}

function kindsOf(request: ChangeRequest, scene: ChangeScene): readonly ChangeKind[] {
	switch (request.type) {
		case 'nodeDown':
		case 'nodeBack':
		case 'deleteNode':
			return [{type: request.type, node: nodeNamed(request.node, request.flag, scene)}];
		case 'cordon':
			return [{type: 'cordon', node: nodeNamed(request.node, request.flag, scene), unschedulable: true}];
		case 'outOfService': {
			const taint = {key: taintOutOfService, value: 'nodeshutdown', effect: 'NoExecute'} as const;
			return [{type: 'taint', node: nodeNamed(request.node, request.flag, scene), taint}];
		}
		case 'zoneDown':
		case 'zoneBack': {
			const type = request.type === 'zoneDown' ? 'nodeDown' : 'nodeBack';
			return nodesOfZone(request.zone, request.flag, scene).map((node) => ({type, node}));
		}
		case 'taint':
			return [{type: 'taint', node: nodeNamed(request.node, request.flag, scene), taint: request.taint}];
		case 'untaint': {
			const {key, effect} = request;
			const node = nodeNamed(request.node, request.flag, scene);
			return [{type: 'untaint', node, key, ...(effect && {effect})}];
		}
		case 'toleration': {
			const pod = podNamed(request.pod, scene);
			return [{type: 'tolerations', pod: podKey(pod), tolerations: tolerating(pod, request.seconds)}];
		}
		case 'controllersDown':
			return [{type: 'controllersDown'}];
		case 'controllersStart':
			return [{type: 'controllersStart', ...(request.settings && {settings: request.settings})}];
	}
}

function nodeNamed(name: string, flag: string, {nodes}: ChangeScene): string {
	if (nodes.some((node) => node.name === name)) return name;
	throw new UserError(`--${flag}: node ${JSON.stringify(name)} not found`, 'see kubectl evictwatch nodes');
}

function nodesOfZone(zone: string, flag: string, {nodes}: ChangeScene): readonly string[] {
	const names = nodes.filter((node) => zoneLabel(zoneKey(node)) === zone).map(({name}) => name);
	if (names.length > 0) return names;
	const near = didYouMean(
		zone,
		nodes.map((node) => zoneLabel(zoneKey(node))),
	);
	throw new UserError(
		`--${flag}: zone ${JSON.stringify(zone)} not found${near}`,
		'see kubectl evictwatch zones',
	);
}

/** The one pod that a name means, with or without its namespace. @throws UserError where there is none, or several. */
export function podNamed(text: string, {pods, namespace}: Pick<ChangeScene, 'pods' | 'namespace'>): Pod {
	const slash = text.indexOf('/');
	const [where, name] = slash < 0 ? [namespace, text] : [text.slice(0, slash), text.slice(slash + 1)];
	const found = pods.filter((pod) => pod.name === name && (where === undefined || pod.namespace === where));
	if (found[0] && found.length === 1) return found[0];
	const namespaces = found.map((pod) => pod.namespace).join(', ');
	throw found.length === 0
		? new UserError(
				`pod ${JSON.stringify(text)} not found`,
				'choose its namespace with -n, or say NAMESPACE/POD',
			)
		: new UserError(`there are several pods ${JSON.stringify(text)}: in ${namespaces}`, 'say NAMESPACE/POD');
}
