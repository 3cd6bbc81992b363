import {logFormats, logLevels} from '../../../src/shadow/log.ts';
import {text, toggle} from '../flagSpec.ts';

export const shadowFlags = {
	listen: text(
		'HOST:PORT to serve the status page, /metrics, /livez, /readyz and /healthz on; :PORT for all addresses, port 0 for any that is free. Without it, nothing is served.',
	),
	'metrics-workloads': text('How many workloads may have a metric of their own; the others share one.', {
		shown: '0',
	}),
	'metrics-cluster': text(
		'Name of this cluster: the label "cluster" of every metric, for a Prometheus that scrapes several clusters.',
	),
	'controller-metrics': text(
		"URL of kube-controller-manager's own metrics (https://127.0.0.1:10257/metrics), to compare ours with.",
	),
	'controller-metrics-token-file': text(
		'File with a bearer token for these metrics; it is read for each request.',
		{completes: 'files'},
	),
	'controller-metrics-ca-file': text('CA file for the certificate of these metrics.', {completes: 'files'}),
	'controller-metrics-insecure-skip-tls-verify': toggle(
		'Do not verify the certificate of these metrics, which is self-signed by default.',
	),
	'log-format': text('json or text, on stderr.', {shown: 'text', choices: logFormats}),
	'log-level': text('Lowest level that is logged: debug, info, warn or error.', {
		shown: 'info',
		choices: logLevels,
	}),
	config: text('YAML file with flags, named without dashes; the command line wins.', {completes: 'files'}),
};
