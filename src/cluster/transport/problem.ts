import {mapBy} from '../../core/collections/mapBy.ts';
import type {Problem} from '../../core/model/problem.ts';
import {assumedRelease} from '../../core/model/versionProfile.ts';
import type {UserError} from '../../text/userError.ts';
import {RequestError, TooLargeError} from './requestError.ts';
import type {Resource} from './resource.ts';

/** The problem for a failure to read a collection: LeasesForbidden, ServerUnreachable, ... */
export function problemOf(name: Resource<unknown>['name'] | 'Version', error: UserError): Problem {
	const reason = reasonOf(name, error);
	const isForbidden = error instanceof RequestError && error.status === 403;
	// Reported once for all collections of events.
	if (isForbidden && name === 'Events') return {reason, message: withoutIt.Events};
	const message = isForbidden ? `${error.message}: ${withoutIt[name]}` : error.message;
	return {reason, message, ...(name === 'Pods' && {isOfPods: true})};
}

/** The consequence if a collection is forbidden. */
const withoutIt: Readonly<Record<Parameters<typeof problemOf>[0], string>> = {
	Nodes:
		'only marks on the pods tell of dead nodes; the latest time of an eviction is not known, nor that a pod is safe',
	Leases: 'heartbeats are not seen; nodes are judged by their status alone, and times are wider',
	LeaderLease: 'when the controllers started is not seen; times are wider',
	LeaderEndpoints:
		'when the controllers started is not seen, and times are wider; the role in deploy/leader-in-endpoints.yaml allows it',
	Pods: 'its pods are not seen; where one namespace may be read, choose it with -n',
	Events: 'the events of the controllers may not all be read: forecasts are less narrow without them',
	NodeRepair: 'whether and when a controller replaces unhealthy nodes is not seen: pods may go earlier',
	ResourceSlices: 'taints of devices, and whom they evict, are not seen',
	ResourceClaims: 'which pods use a tainted device, and go, is not seen',
	DeviceTaintRules: 'devices that are tainted by rules are not seen',
	Version: `the rules and defaults of v1.${assumedRelease} are assumed`,
};

function reasonOf(name: string, error: UserError): string {
	if (!(error instanceof RequestError)) return 'CredentialsUnavailable';
	if (error instanceof TooLargeError) return `${name}Unreadable`;
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

/** Removes duplicates: one cause may stop several collections. */
export function distinct(problems: readonly (Problem | undefined)[]): readonly Problem[] {
	const present = problems.filter((problem) => problem !== undefined);
	// One of pods stands for others.
	const inOrder = present.toSorted((a, b) => Number(a.isOfPods ?? false) - Number(b.isOfPods ?? false));
	return [...mapBy(inOrder, (problem) => `${problem.reason} ${problem.message}`).values()];
}
