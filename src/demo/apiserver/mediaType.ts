import {notAcceptable} from './status.ts';

/** The forms in which an answer can be given. Discovery has one of its own. */
export type Representation = 'Plain' | 'Table' | 'PartialObjectMetadata' | 'APIGroupDiscoveryList';

const transformations: Readonly<Record<string, Representation>> = {
	'meta.k8s.io/v1/Table': 'Table',
	'meta.k8s.io/v1/PartialObjectMetadata': 'PartialObjectMetadata',
	'meta.k8s.io/v1/PartialObjectMetadataList': 'PartialObjectMetadata',
	'apidiscovery.k8s.io/v2/APIGroupDiscoveryList': 'APIGroupDiscoveryList',
};

/** The first form of an Accept header that is offered. No header accepts anything. */
export function negotiate(accept: string | undefined, offered: readonly Representation[]): Representation {
	if (!accept) return 'Plain';
	for (const clause of accept.split(',')) {
		const representation = representationOf(clause);
		if (representation && offered.includes(representation)) return representation;
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
