import type {Instant} from '../../core/time/instant.ts';
import {type ApiObject, type ApiResource, apiVersionOf} from '../encode/apiObject.ts';
import type {ObjectStore} from '../world/objectStore.ts';
import {coreVersions, describeGroup, groupList, resourceList, versionInfo} from './discovery.ts';
import {listPage} from './list.ts';
import {type ListOptions, parseListOptions} from './listOptions.ts';
import {type ApiRoute, routeOf} from './route.ts';
import {kubeletUnreachable, notAcceptable, objectNotFound} from './status.ts';
import {type IncludeObject, partialMetadata, renderTable} from './table.ts';

/** A GET request, reduced to what the answer depends on. */
type ApiRequest = {
	readonly path: string;
	readonly query: URLSearchParams;
	readonly accept: string | undefined;
};

export type Rendering = {
	readonly resource: ApiResource;
	readonly representation: Representation;
	readonly includeObject: IncludeObject;
};

/** The answer of a node's kubelet to a path; undefined if it does not answer. */
export type KubeletAnswer = (node: string, path: string) => object | undefined;

/** The answer: a body, or a watch for the caller to start. */
type ApiAnswer =
	| {readonly type: 'text'; readonly body: string}
	| {readonly type: 'json'; readonly body: object}
	| {readonly type: 'watch'; readonly rendering: Rendering; readonly options: ListOptions};

/** Answers a GET request from the store; throws an ApiError if it cannot. */
export function answer(
	store: ObjectStore,
	request: ApiRequest,
	gitVersion: string,
	now: Instant,
	kubeletAnswer: KubeletAnswer = () => undefined,
): ApiAnswer {
	const route = routeOf(request.path);
	switch (route.type) {
		case 'health':
			return {type: 'text', body: 'ok'};
		case 'version':
			return json(versionInfo(gitVersion));
		case 'discovery':
			return json(route.isCore ? coreVersions() : groupList());
		case 'group':
			return json(describeGroup(route.group));
		case 'resourceList':
			return json(resourceList(route.group));
		case 'kubelet': {
			const body = kubeletAnswer(route.node, route.path);
			if (!body) throw kubeletUnreachable(route.node);
			return json(body);
		}
		case 'object':
		case 'collection':
			return objectsAnswer(store, route, request, now);
	}
}

const json = (body: object): ApiAnswer => ({type: 'json', body});

function objectsAnswer(
	store: ObjectStore,
	route: Extract<ApiRoute, {type: 'object' | 'collection'}>,
	{accept, query}: ApiRequest,
	now: Instant,
): ApiAnswer {
	const {resource, namespace} = route;
	const representation = negotiate(accept);
	const rendering = {resource, representation, includeObject: includeObjectOf(query)};
	const name = route.type === 'object' ? route.name : undefined;
	const options = parseListOptions(query, resource, namespace, name);
	if (options.isWatch) return {type: 'watch', rendering, options};
	if (name === undefined) {
		const {items, metadata} = listPage(store, resource, options);
		return json(renderList(rendering, items, metadata, now));
	}
	const object = store.get(resource.name, name, namespace);
	if (!object) throw objectNotFound(resource, name);
	return json(renderObject(rendering, object, now));
}

/** Renders one object, for a get or as part of a watch. */
export function renderObject(rendering: Rendering, object: ApiObject, now: Instant): object {
	const {resource, representation, includeObject} = rendering;
	switch (representation) {
		case 'Table': {
			const {resourceVersion} = object.metadata;
			return renderTable(resource.name, [object], {resourceVersion}, includeObject, now);
		}
		case 'PartialObjectMetadata':
			return partialMetadata(object);
		default:
			return object;
	}
}

function renderList(
	{resource, representation, includeObject}: Rendering,
	items: readonly ApiObject[],
	metadata: object,
	now: Instant,
): object {
	switch (representation) {
		case 'Table':
			return renderTable(resource.name, items, metadata, includeObject, now);
		case 'PartialObjectMetadata': {
			const apiVersion = 'meta.k8s.io/v1';
			return {kind: 'PartialObjectMetadataList', apiVersion, metadata, items: items.map(partialMetadata)};
		}
		default: {
			const [kind, apiVersion] = [`${resource.kind}List`, apiVersionOf(resource.group)];
			return {kind, apiVersion, metadata, items: items.map(withoutType)};
		}
	}
}

// A list of a built-in resource omits the type of its items, and clients must handle that.
const withoutType = ({kind: _kind, apiVersion: _apiVersion, ...rest}: ApiObject) => rest;

function includeObjectOf(query: URLSearchParams): IncludeObject {
	const wanted = query.get('includeObject');
	return wanted === 'None' || wanted === 'Object' ? wanted : 'Metadata';
}

/** The forms in which an answer can be given. */
type Representation = 'Plain' | 'Table' | 'PartialObjectMetadata';

const transformations: Readonly<Record<string, Representation>> = {
	'meta.k8s.io/v1/Table': 'Table',
	'meta.k8s.io/v1/PartialObjectMetadata': 'PartialObjectMetadata',
	'meta.k8s.io/v1/PartialObjectMetadataList': 'PartialObjectMetadata',
};

/** The first supported form in an Accept header. No header accepts any form. */
function negotiate(accept: string | undefined): Representation {
	if (!accept) return 'Plain';
	for (const clause of accept.split(',')) {
		const representation = representationOf(clause);
		if (representation) return representation;
	}
	throw notAcceptable();
}

function representationOf(clause: string): Representation | undefined {
	const [mediaType, ...parameters] = clause.split(';').map((part) => part.trim());
	if (!['application/json', 'application/*', '*/*'].includes(mediaType ?? '')) return undefined;
	const parameter = (name: string) =>
		parameters.find((text) => text.startsWith(`${name}=`))?.slice(name.length + 1);
	const kind = parameter('as');
	return kind === undefined ? 'Plain' : transformations[`${parameter('g')}/${parameter('v')}/${kind}`];
}
