import type {FlagTable} from '../flagSpec.ts';

/** What is read in place of a cluster. */
export const fileFlags = {
	filename: {
		type: 'string',
		shortFlag: 'f',
		completes: 'files',
		help: "Read a dump (kubectl get nodes,pods,leases,events -A -o json) instead of a cluster; '-' is stdin.",
	},
	at: {
		type: 'string',
		help: 'Instant of the forecast (RFC 3339) with --filename. Without it, the newest heartbeat or transition in the file.',
	},
} as const satisfies FlagTable;
