import {parseGoDuration} from '../../core/model/goValues.ts';
import {type Duration, second} from '../../core/time/instant.ts';
import {UserError} from '../../text/userError.ts';

/** kubectl's connection flags, as given; undefined ones come from the kubeconfig. */
export type ConnectionOptions = Readonly<{
	kubeconfig?: string | undefined;
	context?: string | undefined;
	cluster?: string | undefined;
	user?: string | undefined;
	server?: string | undefined;
	namespace?: string | undefined;
	token?: string | undefined;
	username?: string | undefined;
	password?: string | undefined;
	certificateAuthority?: string | undefined;
	clientCertificate?: string | undefined;
	clientKey?: string | undefined;
	insecureSkipTlsVerify?: boolean | undefined;
	tlsServerName?: string | undefined;
	kubeletCertificateAuthority?: string | undefined;
	disableCompression?: boolean | undefined;
	as?: string | undefined;
	asUid?: string | undefined;
	asGroup?: readonly string[] | undefined;
	/** Each `key=value`; keys may repeat. */
	asUserExtra?: readonly string[] | undefined;
	/** As in kubectl: `30s`, `1m30s`, a bare number of seconds, `0` for no limit. */
	requestTimeout?: string | undefined;
	/** Page size of lists; `0` for everything at once. */
	chunkSize?: string | undefined;
	/** Level of request logs: from 6 on one line per request, from 7 on with headers. */
	v?: string | undefined;
}>;

/** Parses `--as-user-extra`; keys may repeat. @throws UserError if one is not KEY=VALUE */
export function readExtras(extras: readonly string[]): Readonly<Record<string, readonly string[]>> {
	const byKey = Map.groupBy(extras.map(readExtra), ([key]) => key);
	return Object.fromEntries([...byKey].map(([key, pairs]) => [key, pairs.map(([, value]) => value)]));
}

function readExtra(extra: string): readonly [string, string] {
	const [, key, value = ''] = /^([^=]+)=(.*)$/.exec(extra) ?? [];
	if (key !== undefined) return [key, value];
	throw new UserError(
		`--as-user-extra "${extra}" is not KEY=VALUE`,
		'write for example --as-user-extra=team=blue',
	);
}

/** Parses a flag that is a whole number. @throws UserError if it is not */
export function readCount(flag: string, text: string | undefined): number | undefined {
	if (!text) return undefined;
	if (/^\d{1,9}$/.test(text)) return Number(text);
	throw new UserError(`invalid argument "${text}" for "--${flag}" flag`, 'want a whole number, 0 or more');
}

/**
 * Parses `--request-timeout` as kubectl does: `1m30s`, or a bare number of seconds; zero means no limit.
 *
 * @throws UserError if it is not a duration
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/tools/clientcmd/helpers.go ParseTimeout
 */
export function readRequestTimeout(text: string | undefined): Duration | undefined {
	if (!text) return undefined;
	try {
		const timeout = /^\d+$/.test(text) ? Number(text) * second : parseGoDuration(text);
		if (timeout >= 0) return timeout;
	} catch {
		// The same is said of what is negative.
	}
	throw new UserError(
		`--request-timeout "${text}" is not a duration`,
		'write for example 30s, 2m or 0 for no limit',
	);
}
