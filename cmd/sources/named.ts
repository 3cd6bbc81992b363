import {unique} from '../../src/core/collections/unique.ts';
import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import type {Pod} from '../../src/core/model/pod.ts';
import {hidesNodes, hidesPods} from '../../src/core/model/problem.ts';
import {isZoneNamed, zoneKey, zoneLabel} from '../../src/core/model/zone.ts';
import {shellWord} from '../../src/text/pasted.ts';
import {UserError} from '../../src/text/userError.ts';
import type {NamedTarget} from '../args/targets.ts';
import {didYouMean, podSuggestion} from './notFound.ts';

export type NamedObject = Exclude<NamedTarget, {kind: 'workload'}>;

export type NameScene = Pick<ClusterSnapshot, 'nodes' | 'pods' | 'problems'> & {
	/** The namespace of names without one; undefined for any. */
	readonly namespace: string | undefined;
};

/** Splits NAMESPACE/NAME; without a namespace, uses the one in scope. */
function namespaced(text: string, namespace: string | undefined) {
	const slash = text.indexOf('/');
	return slash < 0 ? {namespace, name: text} : {namespace: text.slice(0, slash), name: text.slice(slash + 1)};
}

/** The pods of a name, with or without its namespace. */
export function podsNamed(text: string, {pods, namespace}: NameScene): readonly Pod[] {
	const wanted = namespaced(text, namespace);
	return pods.filter(
		(pod) =>
			pod.name === wanted.name && (wanted.namespace === undefined || pod.namespace === wanted.namespace),
	);
}

/** The only pod of a name. @throws UserError if there is none, or several */
export function podNamed(text: string, scene: NameScene): Pod {
	const found = podsNamed(text, scene);
	if (found[0] && found.length === 1) return found[0];
	const {name, namespace} = namespaced(text, scene.namespace);
	if (found.length === 0) throw notFound({kind: 'pods', name}, {...scene, namespace});
	const namespaces = found.map((pod) => pod.namespace).join(', ');
	throw new UserError(
		`there are several pods ${JSON.stringify(text)}: in ${namespaces}`,
		'name it as NAMESPACE/POD',
	);
}

const known = (kind: 'nodes' | 'zones', {nodes}: Pick<NameScene, 'nodes'>): readonly string[] =>
	nodes.map((node) => (kind === 'nodes' ? node.name : zoneLabel(zoneKey(node))));

/** The only zone of a name, with or without its region; undefined if there is none, or several. */
export function zoneNamed(name: string, scene: NameScene): string | undefined {
	const found = unique(known('zones', scene)).filter((one) => isZoneNamed(one, name));
	return found.length === 1 ? found[0] : found.find((one) => one === name);
}

export function isThere({kind, name}: NamedObject, scene: NameScene) {
	if (kind === 'pods') return podsNamed(name, scene).length > 0;
	if (kind === 'zones') return zoneNamed(name, scene) !== undefined;
	// The pods of a node that is gone are still there for a while.
	return known(kind, scene).includes(name) || scene.pods.some(({nodeName}) => nodeName === name);
}

/** The node or zone of a name without a kind: `b4`, `b` or `eu/b`; undefined if there is none. */
export function placeNamed(name: string, scene: NameScene) {
	if (known('nodes', scene).includes(name)) return {what: `node ${name}`, target: `node/${name}`};
	const zone = known('zones', scene).find((one) => isZoneNamed(one, name));
	return zone === undefined ? undefined : {what: `zone ${zone}`, target: `zone/${zone}`};
}

/** The error for an unknown name, with a suggestion. @param prefix the flag that named it */
export function notFound({kind, name}: NamedObject, scene: NameScene, prefix = ''): UserError {
	const {pods, namespace, problems} = scene;
	const named = `${prefix}${kind.slice(0, -1)} ${JSON.stringify(name)}`;
	const refusal = problems.find(kind === 'pods' ? hidesPods : hidesNodes);
	if (refusal)
		return new UserError(`${named} is not known: ${refusal.message}`, 'ask for a role that may read it');
	const what = `${named} not found`;
	if (kind !== 'pods')
		return new UserError(
			`${what}${didYouMean(name, known(kind, scene))}`,
			`see \`kubectl evictwatch ${kind}\``,
		);
	const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
	// As a zone is called `eu/b`.
	const place = placeNamed(`${namespace}/${name}`, scene) ?? placeNamed(name, scene);
	if (place)
		return new UserError(`${what}${where}; there is a ${place.what}`, `try ${shellWord(place.target)}`);
	const suggestion = podSuggestion(name, pods, namespace);
	return suggestion
		? new UserError(`${what}${where}; ${suggestion.what}`, suggestion.hint)
		: new UserError(`${what}${where}`, 'see `kubectl evictwatch pods -A`');
}

/** @throws UserError for a named pod, node or zone that does not exist; one that may not be read may exist */
export function assertSeen(
	target: NamedTarget,
	{nodes, pods, problems}: ClusterSnapshot,
	namespace?: string,
) {
	if (target.kind === 'workload' || problems.some(target.kind === 'pods' ? hidesPods : hidesNodes)) return;
	const scene = {nodes, pods, problems, namespace};
	if (!isThere(target, scene)) throw notFound(target, scene);
}
