import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import type {Pod} from '../../src/core/model/pod.ts';
import {zoneKey, zoneLabel} from '../../src/core/model/zone.ts';
import {shellWord} from '../../src/text/pasted.ts';
import {UserError} from '../../src/text/userError.ts';
import type {NamedTarget} from '../args/targets.ts';
import {didYouMean, podSuggestion} from '../lists/didYouMean.ts';
import {isGiven} from '../lists/elsewhere.ts';

export type NamedObject = Exclude<NamedTarget, {kind: 'workload'}>;

export type NameScene = Pick<ClusterSnapshot, 'nodes' | 'pods'> & {
	/** The namespace of names without one; undefined for any. */
	readonly namespace: string | undefined;
};

/** Splits NAMESPACE/NAME; without a namespace, uses the one in scope. */
function namespaced(text: string, namespace: string | undefined) {
	const slash = text.indexOf('/');
	return slash < 0 ? {namespace, name: text} : {namespace: text.slice(0, slash), name: text.slice(slash + 1)};
}

/** The pods of a name, with or without its namespace. */
export function podsNamed(text: string, {pods, namespace}: Omit<NameScene, 'nodes'>): readonly Pod[] {
	const wanted = namespaced(text, namespace);
	return pods.filter(
		(pod) =>
			pod.name === wanted.name && (wanted.namespace === undefined || pod.namespace === wanted.namespace),
	);
}

/** The only pod of a name. @throws UserError if there is none, or several */
export function podNamed(text: string, {pods, namespace, nodes}: NameScene): Pod {
	const found = podsNamed(text, {pods, namespace});
	if (found[0] && found.length === 1) return found[0];
	const {name, namespace: where} = namespaced(text, namespace);
	if (found.length === 0) throw notFound({kind: 'pods', name}, {pods, namespace: where, nodes});
	const namespaces = found.map((pod) => pod.namespace).join(', ');
	throw new UserError(
		`there are several pods ${JSON.stringify(text)}: in ${namespaces}`,
		'name it as NAMESPACE/POD',
	);
}

/** The only pod of a name in another namespace; undefined if a flag gave the namespace, or the one in scope has it. */
export function podElsewhere(
	name: string,
	{pods, namespace}: Omit<NameScene, 'nodes'>,
	given: string | undefined,
): Pod | undefined {
	if (isGiven(given) || podsNamed(name, {pods, namespace}).length > 0) return undefined;
	const found = podsNamed(name, {pods, namespace: undefined});
	return found.length === 1 ? found[0] : undefined;
}

/** The namespace of a question; undefined for all, as an outage covers all namespaces unless a flag gives one. */
export const askedNamespace = (
	{namespace}: Pick<NameScene, 'namespace'>,
	{flags}: {readonly flags: {readonly namespace?: string | undefined}},
): string | undefined => (isGiven(flags.namespace) ? namespace : undefined);

const known = (kind: 'nodes' | 'zones', {nodes}: Pick<NameScene, 'nodes'>): readonly string[] =>
	nodes.map((node) => (kind === 'nodes' ? node.name : zoneLabel(zoneKey(node))));

export const isThere = ({kind, name}: NamedObject, scene: NameScene): boolean =>
	kind === 'pods' ? podsNamed(name, scene).length > 0 : known(kind, scene).includes(name);

/** The node or zone of a name without a kind: `b4`, `b` or `eu/b`; undefined if there is none. */
export function placeNamed(
	name: string,
	scene: Pick<NameScene, 'nodes'>,
): {readonly what: string; readonly target: string} | undefined {
	if (known('nodes', scene).includes(name)) return {what: `node ${name}`, target: `node/${name}`};
	const zone = known('zones', scene).find((one) => one === name || one.endsWith(`/${name}`));
	return zone === undefined ? undefined : {what: `zone ${zone}`, target: `zone/${zone}`};
}

/** The error for an unknown name, with a suggestion. @param prefix the flag that named it */
export function notFound({kind, name}: NamedObject, scene: NameScene, prefix = ''): UserError {
	const {pods, namespace} = scene;
	const what = `${prefix}${kind.slice(0, -1)} ${JSON.stringify(name)} not found`;
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
