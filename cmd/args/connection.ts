import {formatTimestamp} from '../../src/dates/utc.ts';
import {type Connection, shellWord} from '../../src/text/pasted.ts';
import type {FlagValues, Options} from './options.ts';

/** The cluster or files of a command line, to repeat them in suggested commands. */
export function connectionOf({flags, filenames, at}: Options): Connection {
	if (filenames.length > 0) {
		// Standard input cannot be read a second time.
		const files = filenames.map((name) => (name === '-' ? '-f FILE' : `-f ${shellWord(name)}`));
		const instant = at === undefined ? [] : [`--at ${formatTimestamp(at)}`];
		return {kubectl: '', evictwatch: [...files, ...instant].join(' ')};
	}
	const cluster = clusterFlags(flags);
	return {kubectl: cluster, evictwatch: cluster};
}

/** The flags that select a cluster, without credentials. */
function clusterFlags(flags: FlagValues): string {
	const words = {
		'--kubeconfig': flags.kubeconfig,
		'--cluster': flags.cluster,
		'--context': flags.context,
		'-s': withoutUser(flags.server),
		'--certificate-authority': flags.certificateAuthority,
		'--tls-server-name': flags.tlsServerName,
	};
	return [
		...Object.entries(words).flatMap(([flag, value]) => (value ? `${flag} ${shellWord(value)}` : [])),
		...(flags.insecureSkipTlsVerify ? ['--insecure-skip-tls-verify'] : []),
	].join(' ');
}

/** A URL may hold a password. */
const withoutUser = (server: string | undefined): string | undefined =>
	server?.replace(/^([a-z]+:\/\/)?[^/?#]*@/i, '$1');
