import type {Instant} from '../../core/time/instant.ts';
import type {ApiObject, ApiResource} from '../encode/apiObject.ts';
import {columnsOf, type ServerColumn} from './tableColumns.ts';

/** How much of its object each row of a table contains. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

export type Rendering = {
	readonly resource: ApiResource;
	readonly isTable: boolean;
	readonly includeObject: IncludeObject;
};

/** Renders objects as a meta/v1 Table, which kubectl prints without knowing the resource; ages count up to `now`. */
export function renderTable(
	{resource, includeObject}: Rendering,
	objects: readonly ApiObject[],
	metadata: object,
	now: Instant,
) {
	const columns = columnsOf(resource.name);
	return {
		kind: 'Table',
		apiVersion: 'meta.k8s.io/v1',
		metadata,
		columnDefinitions: columns.map(definitionOf),
		rows: objects.map((object) => ({
			cells: columns.map(({cell}) => cell(object, now)),
			...includedObject(object, includeObject),
		})),
	};
}

const definitionOf = ({name, isWide}: ServerColumn) => ({
	name,
	type: 'string',
	format: name === 'Name' ? 'name' : '',
	description: '',
	priority: isWide ? 1 : 0,
});

function includedObject(object: ApiObject, includeObject: IncludeObject): {readonly object?: object} {
	switch (includeObject) {
		case 'None':
			return {};
		case 'Object':
			return {object};
		case 'Metadata':
			return {object: partialMetadata(object)};
	}
}

/** An object reduced to its metadata. */
const partialMetadata = ({metadata}: ApiObject): ApiObject => ({
	kind: 'PartialObjectMetadata',
	apiVersion: 'meta.k8s.io/v1',
	metadata,
});
