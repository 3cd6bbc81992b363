import type {Connection} from '../../src/text/pasted.ts';
import {shellWord} from '../../src/text/shellWord.ts';
import type {FlagValues} from '../args/options.ts';

/** The flags that chose the cluster, as they are typed again; never who asks, or by which secret. */
export const connectionOf = ({
	kubeconfig,
	cluster,
	context,
	server,
}: Pick<FlagValues, 'kubeconfig' | 'cluster' | 'context' | 'server'>): Connection => {
	const flags = {
		'--kubeconfig': kubeconfig,
		'--cluster': cluster,
		'--context': context,
		'-s': withoutUser(server),
	};
	return Object.entries(flags)
		.flatMap(([flag, value]) => (value ? `${flag} ${shellWord(value)}` : []))
		.join(' ');
};

/** A URL may hold a password. */
const withoutUser = (server: string | undefined): string | undefined =>
	server?.replace(/^([a-z]+:\/\/)?[^/?#]*@/i, '$1');
