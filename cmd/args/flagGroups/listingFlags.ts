import type {FlagTable} from '../flagSpec.ts';
import {controllerFlags} from './controllerFlags.ts';
import {objectTableFlags, outputFlags, tableFlags} from './outputFlags.ts';
import {selectionFlags} from './scopeFlags.ts';
import {fileFlags} from './sourceFlags.ts';

export const watchFlags = {
	watch: {
		type: 'boolean',
		shortFlag: 'w',
		help: 'After printing, watch the cluster and print what changes.',
	},
	'watch-only': {
		type: 'boolean',
		help: 'Watch the cluster and print what changes, without printing what is there first.',
	},
	'output-watch-events': {
		type: 'boolean',
		help: 'With --watch, print before each object whether it was ADDED, MODIFIED or DELETED.',
	},
	'exit-code': {
		type: 'boolean',
		help: 'Exit with 2 if an eviction is predicted, and with 1 if too little can be seen to tell.',
	},
	debug: {
		type: 'boolean',
		help: 'Print to stderr how many requests and bytes this took: at the end, and every ten seconds with --watch.',
	},
} as const satisfies FlagTable;

/** The flags of lists, as `kubectl get` has them for every kind. */
export const listingFlags = {
	...selectionFlags,
	...outputFlags,
	...tableFlags,
	...objectTableFlags,
	...watchFlags,
	...fileFlags,
	...controllerFlags,
} as const;
