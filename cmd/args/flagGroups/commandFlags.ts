import {text, toggle} from '../flagSpec.ts';
import {connectionFlags} from './connectionFlags.ts';
import {controllerFlags} from './controllerFlags.ts';
import {shadowFlags} from './shadowFlags.ts';
import {whatIfFlags} from './whatIfFlags.ts';

export const generalFlags = {
	'time-zone': text(
		'Time zone of tables and texts, and of times given without an offset: local, utc, or Area/City (Europe/Berlin). Default: local on a terminal where TZ is set, else utc. JSON and YAML are always in UTC.',
		{completes: 'timeZones'},
	),
	help: toggle('Show this help.', {shortFlag: 'h'}),
};

export const programFlags = {
	version: toggle('Show the version of evictwatch.'),
};

/** Choose pods. Accepted by every command, as by kubectl's. */
export const scopeFlags = {
	'all-namespaces': toggle(
		'Show the pods of all namespaces. The namespace of the context is ignored, even if given with --namespace.',
		{shortFlag: 'A'},
	),
	selector: text("Label query to filter on, supports '=', '==', '!=', 'in', 'notin' and existence.", {
		shortFlag: 'l',
	}),
	'field-selector': text(
		"Field query to filter on, supports '=', '==' and '!='. Pods have metadata.name, metadata.namespace and spec.nodeName.",
	),
};

/** The default scope of answers about an outage, for the help. */
export const ofAllNamespaces = 'It covers all namespaces, as an outage does; -n NAMESPACE limits it to one.';
/** The default scope of lists, for the help. */
export const ofContextNamespace =
	'It shows the namespace of the context, as kubectl get does; -n NAMESPACE shows another, -A all of them.';

export const selectionFlags = {
	...scopeFlags,
	verdict: text(
		'Show only what has one of these verdicts (zones: states), separated by commas. DaemonSet pods that stay are then listed, not counted.',
		{
			isMultiple: true,
			completes: ['Scheduled', 'Expected', 'Overdue', 'Held', 'Unsure', 'Stays', 'Terminating', 'Safe'],
		},
	),
	all: toggle(
		'Show every pod: also those on healthy nodes, and DaemonSet pods that stay. Nodes and zones are always all shown.',
	),
};

/** The output format. A command's formats are in its `outputs`. */
export const outputFlags = {
	output: text('Output format.', {shortFlag: 'o', completes: 'outputs'}),
	template: text(
		'Template string or path to template file to use when -o=jsonpath, -o=jsonpath-as-json or -o=jsonpath-file.',
	),
	'allow-missing-template-keys': toggle(
		'If false, a field that is missing in a template is an error. Only applies to jsonpath output formats.',
		{isOnByDefault: true},
	),
};

export const tableFlags = {
	'no-headers': toggle("Don't print headers, with the table or custom columns."),
};

/** The layout of tables of Kubernetes objects. */
export const objectTableFlags = {
	'show-labels': toggle('Show all labels as the last column.'),
	'label-columns': text(
		'Labels to show as columns, separated by commas; can be repeated. Names are case-sensitive.',
		{shortFlag: 'L', isMultiple: true},
	),
	'show-kind': toggle('Show the kind of each object before its name.'),
	'sort-by': text(
		"Sort by this field, a JSONPath expression such as '.metadata.name' or '{.eviction.earliest}'.",
	),
	'ignore-not-found': toggle('If an object asked for by name does not exist, exit with 0.'),
};

/** The clusters to contact; no other is contacted. */
export const contextFlags = {
	contexts: text(
		'Contexts of the kubeconfig to read, separated by commas; can be repeated. No other is contacted.',
		{isMultiple: true, isList: true, completes: 'contexts'},
	),
	'all-contexts': toggle('Read all contexts of the kubeconfig.'),
};

/** Files to read instead of a cluster. */
export const fileFlags = {
	filename: text(
		"Read a file instead of a cluster: a dump (kubectl get nodes,pods,leases,events -A -o json), a folder of them, or a recording; '-' is stdin. Can be repeated.",
		{shortFlag: 'f', isMultiple: true, completes: 'files'},
	),
	at: text(
		'With --filename: forecast from this time (RFC 3339, or a date and time in --time-zone such as 2026-01-31T15:07). Default: the newest heartbeat or transition in a dump, or the end of a recording. With replay: where it begins.',
	),
};

export const kubeletFlags = {
	'all-kubelets': toggle(
		'Query the kubelets of all ready nodes, so trends begin before a node runs short. Default: only nodes with a pressure condition.',
	),
};

export const watchFlags = {
	watch: toggle('After printing, watch the cluster and print what changes.', {shortFlag: 'w'}),
	'watch-only': toggle('Watch the cluster and print what changes, without printing what is there first.'),
	'output-watch-events': toggle(
		'With --watch, print before each object whether it was ADDED, MODIFIED or DELETED.',
	),
	'exit-code': toggle(
		'Exit with 2 if an eviction is predicted (of what-if: if a loss takes a workload to zero or below its budget), and with 1 if too little can be seen to tell.',
	),
	debug: toggle(
		'Print to stderr how many requests and bytes this took: at the end, and every ten seconds with --watch.',
	),
};

/** The flags of lists, as `kubectl get` has them for every kind. */
export const listingFlags = {
	...selectionFlags,
	...outputFlags,
	...tableFlags,
	...objectTableFlags,
	...watchFlags,
	...fileFlags,
	...controllerFlags,
};

export const playingFlags = {
	speed: text('Seconds of the outage that pass in one real second.'),
};

export const screenFlags = {
	'no-alt-screen': toggle('Draw the dashboard below the prompt, and leave its last screen there.'),
	theme: text(
		'Colours of the dashboard: dark, light or high-contrast; by default dark or light, as the terminal.',
		{choices: ['dark', 'light', 'high-contrast']},
	),
};

export const settingsFlags = {
	check: toggle('Show how long each step until a deletion takes, and which settings are risky.'),
	kubelet: text(
		'Query the kubelet of this node for its configuration (needs the right to get nodes/proxy, or nodes/configz at its own port).',
		{completes: 'nodes'},
	),
	want: text('Show what to set so that pods are deleted this long after a node falls silent (60s, 2m).'),
};

export const explainFlags = {
	full: toggle('Show the rule behind each step, the evidence for it, and what is assumed (as -v does).'),
};

export const completionFlags = {
	'install-shim': text(
		'Write kubectl_complete-evictwatch, which kubectl runs to complete, into this folder (default: beside kubectl-evictwatch).',
		{optionalValue: /^[^-]/, completes: 'folders'},
	),
};

export const versionFlags = {
	client: toggle('Show the version of evictwatch only: no server is asked.'),
};

export const recordFlags = {
	for: text('How long to record (30s, 10m). Without it, until ctrl-c.'),
	anonymise: toggle(
		'Replace the words of names, namespaces, labels, zones and UIDs, each always by the same, so that the file may be shared.',
	),
	'all-kubelets': kubeletFlags['all-kubelets'],
};

export const demoFlags = {
	serve: text(
		'Serve the API of the simulated cluster on this port of 127.0.0.1, for any client; it prints when the outage starts.',
		{optionalValue: /^\d+$/},
	),
	list: toggle('List the scenarios.'),
};

/** All flags of all commands. A name has one meaning everywhere. */
export const allFlags = {
	...listingFlags,
	...whatIfFlags,
	...explainFlags,
	...settingsFlags,
	...contextFlags,
	...kubeletFlags,
	...recordFlags,
	...playingFlags,
	...screenFlags,
	...demoFlags,
	...shadowFlags,
	...completionFlags,
	...versionFlags,
	...programFlags,
	...generalFlags,
	...connectionFlags,
};
