import type {Problem} from '../core/model/clusterSnapshot.ts';
import {RequestError} from './requestError.ts';
import type {Resource} from './resource.ts';
import type {UserError} from './userError.ts';

/** What the failure to read a collection means for people and machines: LeasesForbidden, ServerUnreachable, ... */
export function problemOf(name: Resource<unknown>['name'] | 'Version', error: UserError): Problem {
	const reason = reasonOf(name, error);
	return {reason, message: reason === 'EventsForbidden' ? eventsForbidden : error.message};
}

/** Said once, whichever of the events are forbidden. */
const eventsForbidden =
	'the events of the controllers may not all be read: forecasts are less narrow without them';

function reasonOf(name: string, error: UserError): string {
	if (!(error instanceof RequestError)) return 'CredentialsUnavailable';
	switch (error.status) {
		case undefined:
			return 'ServerUnreachable';
		case 401:
			return 'Unauthorized';
		case 403:
			return `${name}Forbidden`;
		default:
			return `${name}Unreadable`;
	}
}

/** The problems without repetition: what stops several collections is one problem. */
export function distinct(problems: readonly (Problem | undefined)[]): readonly Problem[] {
	const present = problems.filter((problem) => problem !== undefined);
	return [...new Map(present.map((problem) => [`${problem.reason} ${problem.message}`, problem])).values()];
}
