import {UserError} from '../../text/userError.ts';
import type {KubeconfigUser} from './kubeconfigEntries.ts';

/** A client certificate and its key, in PEM. */
export type Certificate = {readonly cert: string; readonly key: string};

/** Who we are, for one request. */
export type Credential = {
	/** The value of the Authorization header. */
	readonly authorization?: string;
	readonly certificate?: Certificate;
};

/**
 * The headers that ask to act as somebody else. A list of values is sent as the header repeated, not joined by commas.
 *
 * @throws UserError where a group, UID or extra is asked for without a user, which the API server would refuse.
 */
export function impersonationHeaders(user: KubeconfigUser): Readonly<Record<string, string | string[]>> {
	const {impersonateUser, impersonateUid, impersonateGroups, impersonateExtra} = user;
	const groups = impersonateGroups ?? [];
	const extras = Object.entries(impersonateExtra ?? {}).filter(([, values]) => values?.length > 0);
	if (!impersonateUser) {
		if (!impersonateUid && groups.length === 0 && extras.length === 0) return {};
		throw new UserError('--as-group, --as-uid and --as-user-extra need --as', 'say as whom: --as=NAME');
	}
	return {
		'impersonate-user': impersonateUser,
		...(impersonateUid && {'impersonate-uid': impersonateUid}),
		...(groups.length > 0 && {'impersonate-group': [...groups]}),
		...Object.fromEntries(
			extras.map(([key, values]) => [`impersonate-extra-${encodeURIComponent(key)}`, [...values]]),
		),
	};
}
