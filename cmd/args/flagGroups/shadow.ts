import {logFormats, logLevels} from '../../../src/shadow/log/log.ts';
import {notifyFormats} from '../../../src/shadow/notify/formats.ts';
import type {FlagTable} from '../flagSpec.ts';

/** How a shadow is run, and whom it tells. */
export const shadowFlags = {
	listen: {
		type: 'string',
		help: 'HOST:PORT to serve the status page, /metrics, /livez, /readyz and /healthz on; :PORT for all addresses, port 0 for any that is free. Without it, nothing is served.',
	},
	'leader-elect': {
		type: 'boolean',
		help: 'Of several shadows, let one alone notify: elect it by a Lease, the only thing that is ever written to the cluster.',
	},
	'leader-elect-resource-namespace': {
		type: 'string',
		completes: 'namespaces',
		help: 'Namespace of that Lease. Without it, the one that this runs in, or of the context.',
	},
	'leader-elect-resource-name': {type: 'string', shown: 'evictwatch-shadow', help: 'Name of that Lease.'},
	history: {
		type: 'string',
		completes: 'folders',
		help: 'A folder that keeps divergences and what was told of them, so that a restart tells nothing twice. One process at a time may use it.',
	},
	notify: {
		type: 'string',
		isMultiple: true,
		help: "Tell this URL of alarms and of evictions to come: Alertmanager's (.../api/v2/alerts), or any webhook that takes JSON. Can be repeated.",
	},
	'notify-format': {
		type: 'string',
		completes: notifyFormats,
		help: 'alertmanager or json. Without it, by the path of each URL.',
	},
	'notify-token-file': {
		type: 'string',
		completes: 'files',
		help: 'File with a bearer token for --notify, read anew for each message.',
	},
	'metrics-workloads': {
		type: 'string',
		shown: '0',
		help: 'How many workloads may have a metric of their own; the others share one.',
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
