import {apiVersionOf, groups, resourcesOf} from '../encode/apiObject.ts';

export const servedVerbs = ['get', 'list', 'watch'];

/** The answer to `/api`: the versions of the core group. */
export const coreVersions = (): object => ({
	kind: 'APIVersions',
	versions: ['v1'],
	serverAddressByClientCIDRs: [],
});

/** The answer to `/apis`: all groups but the core one. */
export const groupList = (): object => ({
	kind: 'APIGroupList',
	apiVersion: 'v1',
	groups: groups
		.filter((name) => name !== '')
		.map((name) => {
			const version = {groupVersion: apiVersionOf(name), version: 'v1'};
			return {name, versions: [version], preferredVersion: version};
		}),
});

/** The answer to `/api/v1` and `/apis/GROUP/v1`. */
export const resourceList = (group: string): object => ({
	kind: 'APIResourceList',
	apiVersion: 'v1',
	groupVersion: apiVersionOf(group),
	resources: resourcesOf(group).map((resource) => ({
		name: resource.name,
		singularName: resource.singularName,
		namespaced: resource.isNamespaced,
		kind: resource.kind,
		verbs: servedVerbs,
		...(resource.shortNames.length > 0 && {shortNames: resource.shortNames}),
		...(resource.categories.length > 0 && {categories: resource.categories}),
	})),
});

export function versionInfo(gitVersion: string): object {
	const [, major = '1', minor = ''] = /^v(\d+)\.(\d+)/.exec(gitVersion) ?? [];
	return {
		major,
		minor,
		gitVersion,
		gitCommit: '',
		gitTreeState: 'clean',
		buildDate: '1970-01-01T00:00:00Z',
		goVersion: '',
		compiler: '',
		platform: 'linux/amd64',
	};
}
