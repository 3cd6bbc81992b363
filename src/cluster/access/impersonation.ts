import {UserError} from '../../text/userError.ts';
import type {KubeconfigUser} from './kubeconfig.ts';

/**
 * The headers that ask to act as somebody else. A list of values is sent as the header repeated, not joined by commas.
 *
 * @throws UserError where a group, UID or extra is asked for without a user, which the API server would refuse.
 */
export function impersonationHeaders(user: KubeconfigUser): Readonly<Record<string, string | string[]>> {
	if (user.as === '') {
		if (user.asUid === '' && user.asGroups.length === 0 && user.asUserExtra.length === 0) return {};
		throw new UserError('--as-group, --as-uid and --as-user-extra need --as', 'say as whom: --as=NAME');
	}
	const extras = Map.groupBy(user.asUserExtra, ([key]) => key);
	return {
		'impersonate-user': user.as,
		...(user.asUid !== '' && {'impersonate-uid': user.asUid}),
		...(user.asGroups.length > 0 && {'impersonate-group': [...user.asGroups]}),
		...Object.fromEntries(
			[...extras].map(([key, pairs]) => [
				`impersonate-extra-${encodeURIComponent(key)}`,
				pairs.map(([, value]) => value),
			]),
		),
	};
}
