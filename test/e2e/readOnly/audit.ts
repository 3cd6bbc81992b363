import {readFileSync} from 'node:fs';
import type {Rule} from './users.ts';

/** A request in the API server's audit log. */
export type Audited = {
	readonly user: {readonly username: string};
	readonly verb: string;
	readonly requestURI: string;
	readonly objectRef?: {
		readonly apiGroup?: string;
		readonly resource?: string;
		readonly name?: string;
		readonly namespace?: string;
	};
	readonly responseStatus?: {readonly code?: number};
};

/** The requests of one user so far. */
export function requestsOf(user: string, auditLog: string): readonly Audited[] {
	const lines = readFileSync(auditLog, 'utf8').trim().split('\n').filter(Boolean);
	return lines.map((line) => JSON.parse(line) as Audited).filter(({user: {username}}) => username === user);
}

/** The requests that a role does not allow, and the role's rights that were not used, as one line each. */
export function holdAgainst(rules: readonly Rule[], requests: readonly Audited[]): readonly string[] {
	const outside = requests.filter((request) => !rules.some((rule) => allows(rule, request)));
	const refused = requests.filter(({responseStatus}) => responseStatus?.code === 403);
	const unused = rules.flatMap((rule) =>
		rule.verbs
			.filter((verb) => !requests.some((request) => request.verb === verb && allows(rule, request)))
			.map((verb) => `nobody needed to ${verb} ${(rule.resources ?? rule.nonResourceURLs ?? []).join()}`),
	);
	return [
		...new Set([
			...outside.map((request) => `outside of the role: ${describe(request)}`),
			...refused.map((request) => `refused: ${describe(request)}`),
			...unused,
		]),
	];
}

/** Checks a rule as the authorizer does; a watch or list of one object has its name in a field selector. */
function allows(rule: Rule, {verb, requestURI, objectRef}: Audited): boolean {
	if (!rule.verbs.includes(verb)) return false;
	if (!objectRef)
		return (rule.nonResourceURLs ?? []).some((url) => isOf(url, requestURI.split('?')[0] ?? ''));
	const {apiGroup = '', resource = '', name = ''} = objectRef;
	return (
		(rule.apiGroups ?? []).includes(apiGroup) &&
		(rule.resources ?? []).includes(resource) &&
		(rule.resourceNames === undefined || rule.resourceNames.includes(name))
	);
}

const isOf = (url: string, path: string): boolean =>
	url.endsWith('*') ? path.startsWith(url.slice(0, -1)) : path === url;

const describe = ({verb, requestURI}: Audited) => `${verb} ${requestURI.split('?')[0]}`;
