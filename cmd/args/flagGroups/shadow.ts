import {logFormats, logLevels} from '../../../src/shadow/log.ts';
import type {FlagTable} from '../flagSpec.ts';

/** How a shadow is run, and what it serves. */
export const shadowFlags = {
	listen: {
		type: 'string',
		help: 'HOST:PORT to serve the status page, /metrics, /livez, /readyz and /healthz on; :PORT for all addresses, port 0 for any that is free. Without it, nothing is served.',
	},
	'metrics-workloads': {
		type: 'string',
		shown: '0',
		help: 'How many workloads may have a metric of their own; the others share one.',
	},
	'metrics-cluster': {
		type: 'string',
		help: 'Name of this cluster: the label "cluster" of every metric, for a Prometheus that scrapes several clusters.',
	},
	'controller-metrics': {
		type: 'string',
		help: "URL of kube-controller-manager's own metrics (https://127.0.0.1:10257/metrics), to compare ours with.",
	},
	'controller-metrics-token-file': {
		type: 'string',
		completes: 'files',
		help: 'File with a bearer token for them, read anew each time.',
	},
	'controller-metrics-ca-file': {
		type: 'string',
		completes: 'files',
		help: 'File with the CA of their certificate.',
	},
	'controller-metrics-insecure-skip-tls-verify': {
		type: 'boolean',
		help: 'Do not check their certificate, which is self-signed unless it was given another.',
	},
	'log-format': {type: 'string', shown: 'text', choices: logFormats, help: 'json or text, on stderr.'},
	'log-level': {
		type: 'string',
		shown: 'info',
		choices: logLevels,
		help: 'The least that is logged: debug, info, warn or error.',
	},
	config: {
		type: 'string',
		completes: 'files',
		help: 'YAML file with flags by their names without dashes; what the command line says wins.',
	},
} as const satisfies FlagTable;
