import {type ApiResource, groups, resourcesOf} from '../encode/apiObject.ts';
import {badRequest, pathNotFound} from './status.ts';

export type ApiRoute =
	| {readonly type: 'health'}
	| {readonly type: 'version'}
	| {readonly type: 'discovery'; readonly isCore: boolean}
	| {readonly type: 'group'; readonly group: string}
	| {readonly type: 'resourceList'; readonly group: string}
	/** An empty namespace stands for all of them. */
	| {readonly type: 'collection'; readonly resource: ApiResource; readonly namespace: string}
	| {
			readonly type: 'object';
			readonly resource: ApiResource;
			readonly namespace: string;
			readonly name: string;
	  }
	/** A kubelet's endpoint, reached through its node's proxy. */
	| {readonly type: 'kubelet'; readonly node: string; readonly path: string};

/** Finds the route of a path; throws NotFound if there is none. */
export function routeOf(path: string): ApiRoute {
	const [first = '', ...rest] = path
		.replace(/^\/|\/$/g, '')
		.split('/')
		.map(decode);
	switch (first) {
		case 'healthz':
		case 'readyz':
		case 'livez':
			return {type: 'health'};
		case 'version':
			return {type: 'version'};
		case 'api':
			return rest.length === 0 ? {type: 'discovery', isCore: true} : groupRoute('', rest);
		case 'apis':
			return rest.length === 0 ? {type: 'discovery', isCore: false} : namedGroupRoute(rest);
		default:
			throw pathNotFound();
	}
}

function namedGroupRoute([group = '', ...rest]: readonly string[]): ApiRoute {
	if (group === '' || !groups.includes(group)) throw pathNotFound();
	return rest.length === 0 ? {type: 'group', group} : groupRoute(group, rest);
}

function groupRoute(group: string, [version, ...rest]: readonly string[]): ApiRoute {
	if (version !== 'v1') throw pathNotFound();
	if (rest.length === 0) return {type: 'resourceList', group};
	const [kind, node = '', proxy, ...behind] = rest;
	if (group === '' && kind === 'nodes' && proxy === 'proxy')
		return {type: 'kubelet', node, path: behind.join('/')};
	// `namespaces/shop` is the namespace itself, `namespaces/shop/pods` is its content.
	const isInNamespace = rest[0] === 'namespaces' && rest.length > 2;
	const [namespace, path] = isInNamespace ? [rest[1] ?? '', rest.slice(2)] : ['', rest];
	const [plural, name] = path;
	const resource = resourcesOf(group).find((candidate) => candidate.name === plural);
	if (!resource || path.length > 2 || (isInNamespace && !resource.isNamespaced)) throw pathNotFound();
	if (name === undefined) return {type: 'collection', resource, namespace};
	if (resource.isNamespaced !== isInNamespace) throw pathNotFound();
	return {type: 'object', resource, namespace, name};
}

function decode(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		throw badRequest(`malformed path segment: ${JSON.stringify(part)}`);
	}
}
