import type {Instant} from '../../core/time/instant.ts';
import {type ApiResource, apiVersionOf, groups, resourcesOf} from '../encode/apiObject.ts';
import type {ObjectStore} from '../world/objectStore.ts';
import {coreVersions, groupList, resourceList, versionInfo} from './discovery.ts';
import {listPage} from './list.ts';
import {type ListOptions, parseListOptions} from './listOptions.ts';
import {ApiError, badRequest, pathNotFound} from './status.ts';
import {type Rendering, renderTable} from './table.ts';

/** A GET request, reduced to what the answer depends on. */
type ApiRequest = {
	readonly path: string;
	readonly query: URLSearchParams;
	readonly accept: string | undefined;
};

/** What is served. */
export type Served = Readonly<{
	store: ObjectStore;
	/** The version in `/version`, as in v1.36.3. */
	gitVersion: string;
	/** The clock of the simulated world, for the Date header and the ages in tables. */
	now: () => Instant;
	/** The answer of a node's kubelet to a path; undefined if it does not answer. */
	kubeletAnswer?: (node: string, path: string) => object | undefined;
}>;

/** The answer: a body, as text or as JSON, or a watch for the caller to start. */
type ApiAnswer =
	| {readonly body: string | object}
	| {readonly rendering: Rendering; readonly options: ListOptions};

/** Answers a GET request from the store. @throws ApiError if it cannot */
export function answer(served: Served, request: ApiRequest): ApiAnswer {
	const [first = '', ...rest] = request.path
		.replace(/^\/|\/$/g, '')
		.split('/')
		.map(decode);
	if (['healthz', 'readyz', 'livez'].includes(first)) return {body: 'ok'};
	if (first === 'version') return {body: versionInfo(served.gitVersion)};
	if (first === 'api') return rest.length === 0 ? {body: coreVersions()} : ofGroup('', rest, served, request);
	if (first !== 'apis') throw pathNotFound();
	const [group, ...behind] = rest;
	if (group === undefined) return {body: groupList()};
	if (group === '' || !groups.includes(group)) throw pathNotFound();
	return ofGroup(group, behind, served, request);
}

function ofGroup(
	group: string,
	[version, ...rest]: readonly string[],
	served: Served,
	request: ApiRequest,
): ApiAnswer {
	if (version !== 'v1') throw pathNotFound();
	if (rest.length === 0) return {body: resourceList(group)};
	const [kind, owner = '', proxy, ...behind] = rest;
	if (group === '' && kind === 'nodes' && proxy === 'proxy') {
		const body = served.kubeletAnswer?.(owner, behind.join('/'));
		const message = `error trying to reach service: the kubelet of ${owner} does not answer`;
		if (!body) throw new ApiError(503, 'ServiceUnavailable', message);
		return {body};
	}
	// `namespaces/shop` is the namespace itself, `namespaces/shop/pods` is its content.
	const isInNamespace = kind === 'namespaces' && rest.length > 2;
	const [plural, name, ...others] = isInNamespace ? rest.slice(2) : rest;
	const resource = resourcesOf(group).find((candidate) => candidate.name === plural);
	const fits =
		name === undefined ? resource?.isNamespaced || !isInNamespace : resource?.isNamespaced === isInNamespace;
	if (!resource || others.length > 0 || !fits) throw pathNotFound();
	return ofObjects(resource, isInNamespace ? owner : '', name, served, request);
}

/** @param namespace empty for all of them @param name undefined for a collection */
function ofObjects(
	resource: ApiResource,
	namespace: string,
	name: string | undefined,
	{store, now}: Served,
	{accept, query}: ApiRequest,
): ApiAnswer {
	const rendering = {resource, isTable: acceptsTable(accept), includeObject: query.get('includeObject')};
	const options = parseListOptions(query, resource, namespace, name);
	if (options.isWatch) return {rendering, options};
	if (name === undefined) {
		const {items, metadata} = listPage(store, resource, options);
		if (rendering.isTable) return {body: renderTable(rendering, items, metadata, now())};
		const {kind, group} = resource;
		// A list of a built-in resource omits the type of its items, and clients must handle that.
		const withoutType = items.map(({kind: _kind, apiVersion: _apiVersion, ...rest}) => rest);
		return {
			body: {kind: `${kind}List`, apiVersion: apiVersionOf(group), metadata, items: withoutType},
		};
	}
	const object = store.get(resource.name, name, namespace);
	if (!object) {
		const {name: kind, group} = resource;
		// As kubectl shows it: `pods "cart-0" not found`.
		const message = `${group === '' ? kind : `${kind}.${group}`} "${name}" not found`;
		throw new ApiError(404, 'NotFound', message, {name, ...(group !== '' && {group}), kind});
	}
	if (!rendering.isTable) return {body: object};
	const {resourceVersion} = object.metadata;
	return {body: renderTable(rendering, [object], {resourceVersion}, now())};
}

/**
 * Whether an Accept header asks for a table, as kubectl does, before it asks for JSON. No header accepts any form.
 *
 * @throws ApiError if it accepts neither
 */
function acceptsTable(accept = '*/*'): boolean {
	for (const clause of accept.split(',')) {
		const [mediaType = '', ...parameters] = clause.split(';').map((part) => part.trim());
		if (!['application/json', 'application/*', '*/*'].includes(mediaType)) continue;
		const isTable = ['as=Table', 'v=v1', 'g=meta.k8s.io'].every((one) => parameters.includes(one));
		if (isTable || !parameters.some((one) => one.startsWith('as='))) return isTable;
	}
	throw new ApiError(406, 'NotAcceptable', 'only the following media types are accepted: application/json');
}

function decode(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		throw badRequest(`malformed path segment: ${JSON.stringify(part)}`);
	}
}
