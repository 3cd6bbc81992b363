import type {Instant} from '../../core/time/instant.ts';
import type {ApiObject, ApiResource} from '../encode/apiObject.ts';
import {columnsOf} from './tableColumns.ts';

export type Rendering = {
	readonly resource: ApiResource;
	readonly isTable: boolean;
	/** How much of its object each row of a table contains: None, Object, or Metadata by default. */
	readonly includeObject: string | null;
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
		columnDefinitions: columns.map(({name, isWide}) => ({
			name,
			type: 'string',
			format: name === 'Name' ? 'name' : '',
			description: '',
			priority: isWide ? 1 : 0,
		})),
		rows: objects.map((object) => ({
			cells: columns.map(({cell}) => cell(object, now)),
			...(includeObject !== 'None' && {
				object: includeObject === 'Object' ? object : partialMetadata(object),
			}),
		})),
	};
}

/** An object reduced to its metadata. */
const partialMetadata = ({metadata}: ApiObject): ApiObject => ({
	kind: 'PartialObjectMetadata',
	apiVersion: 'meta.k8s.io/v1',
	metadata,
});
