import type {FlagTable} from '../flagSpec.ts';

/** Which clusters are asked: none but these is contacted. */
export const contextFlags = {
	contexts: {
		type: 'string',
		isMultiple: true,
		isList: true,
		completes: 'contexts',
		help: 'Contexts of the kubeconfig to read, separated by commas; can be repeated. No other is contacted.',
	},
	'all-contexts': {type: 'boolean', help: 'Read all contexts of the kubeconfig.'},
} as const satisfies FlagTable;
