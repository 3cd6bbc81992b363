import {outcomes, podColumns, podVerdicts, timeForms} from '../../src/print/legend.ts';
import {listingFlags} from '../args/flagGroups/listingFlags.ts';
import {ofContextNamespace} from '../args/flagGroups/scopeFlags.ts';
import {aliasesOf} from '../args/targets.ts';
import type {Command} from './command.ts';
import {listCommand} from './listCommand.ts';

export const podFields = ['metadata.name', 'metadata.namespace', 'spec.nodeName'] as const;

export const pods = {
	...listCommand,
	aliases: aliasesOf('pods'),
	summary: 'Show which pods are evicted next, when, and why',
	description: [ofContextNamespace],
	usage: ['[NAME...] [-n NAMESPACE | -A] [-l SELECTOR] [-w]'],
	examples: [
		['Show the pods of the current namespace that are in trouble', 'pods'],
		['Show why and when, for the whole cluster, and go on watching', 'pods -A -o wide -w'],
		['Fail a script while any eviction is to come', 'pods -A --exit-code'],
		[
			'Predict from a dump instead of a cluster',
			'pods -A -f dump.json --node-monitor-grace-period=40s --kubernetes-version=v1.31.2',
		],
	],
	legends: [
		['VERDICT, whether a pod is evicted', podVerdicts],
		['Columns', podColumns],
		['Times', timeForms],
		['THEN (-o wide), what follows its deletion', outcomes],
	],
	schemas: ['pod-forecast-list', 'pod-forecast'],
	flags: listingFlags,
	completes: 'pods',
	selectableFields: podFields,
} as const satisfies Command;
