import {logFormats, logLevels} from '../../../src/shadow/log.ts';
import type {FlagTable} from '../flagSpec.ts';

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
		help: 'File with a bearer token for these metrics; it is read for each request.',
	},
	'controller-metrics-ca-file': {
		type: 'string',
		completes: 'files',
		help: 'CA file for the certificate of these metrics.',
	},
	'controller-metrics-insecure-skip-tls-verify': {
		type: 'boolean',
		help: 'Do not verify the certificate of these metrics, which is self-signed by default.',
	},
	'log-format': {type: 'string', shown: 'text', choices: logFormats, help: 'json or text, on stderr.'},
	'log-level': {
		type: 'string',
		shown: 'info',
		choices: logLevels,
		help: 'Lowest level that is logged: debug, info, warn or error.',
	},
	config: {
		type: 'string',
		completes: 'files',
		help: 'YAML file with flags, named without dashes; the command line wins.',
	},
} as const satisfies FlagTable;
