import type {V1Pod} from '@kubernetes/client-node';
import type {ComponentName, Flags} from '../../core/model/controlPlane.ts';
import {entriesOf, partsOf, textOf} from '../codec/rawJson.ts';

/** The flags that are kept; all others are dropped, whatever they contain. */
const known: Readonly<Record<ComponentName, Readonly<Record<string, 'value' | 'switch' | 'list'>>>> = {
	'kube-controller-manager': {
		'node-monitor-period': 'value',
		'node-startup-grace-period': 'value',
		'node-monitor-grace-period': 'value',
		'node-eviction-rate': 'value',
		'secondary-node-eviction-rate': 'value',
		'large-cluster-size-threshold': 'value',
		'unhealthy-zone-threshold': 'value',
		'pod-eviction-timeout': 'value',
		'kube-api-qps': 'value',
		'kube-api-burst': 'value',
		'enable-taint-manager': 'switch',
		'leader-elect': 'switch',
		controllers: 'list',
		'feature-gates': 'list',
	},
	'kube-apiserver': {
		'default-not-ready-toleration-seconds': 'value',
		'default-unreachable-toleration-seconds': 'value',
		'disable-admission-plugins': 'list',
	},
};

/**
 * Parses the flags of a component from its container's command and arguments, by the rules of Kubernetes' flags: a switch
 * takes no separate value, underscores are dashes, the last of a repeated flag wins, and lists are joined. Undefined if the
 * command does not show them, as that of a script.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/component-base/cli/flag/flags.go WordSepNormalizeFunc
 * @upstream github.com/spf13/pflag v1.0.9 flag.go parseLongArg
 */
export function readComponentFlags(component: ComponentName, words: readonly string[]): Flags | undefined {
	const kinds = known[component];
	const flags = new Map<string, string>();
	const rest = words.flatMap((word) => shellWords(component, word));
	if (!rest.some((word) => word.startsWith('--') || nameIn(component, `${word} `))) return undefined;
	for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
		const [, spelt, assigned] = /^--([^=\s]+)(?:=(.*))?$/s.exec(word) ?? [];
		// A variable of a shell may hold any flags.
		if (isVariable.test(word)) return undefined;
		if (spelt === undefined) continue;
		const name = spelt.replaceAll('_', '-');
		const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
		if (!kind) {
			// An unknown flag may or may not take the next word; a word that starts with a dash is another flag.
			if (assigned === undefined && rest[0]?.startsWith('-') === false) rest.shift();
			continue;
		}
		const value = assigned ?? (kind === 'switch' ? 'true' : (rest.shift() ?? ''));
		if (isVariable.test(value)) return undefined;
		const before = flags.get(name);
		flags.set(name, kind === 'list' && before !== undefined ? `${before},${value}` : value);
	}
	return flags;
}

/** A variable of a shell, or of the container. */
const isVariable = /^\$[\w({]/;

// Some clusters start their components through a shell: `sh -c "exec kube-controller-manager --x=y 2>&1 | tee ..."`.
function shellWords(component: ComponentName, word: string): string[] {
	const start = nameIn(component, word);
	if (!start) return [word];
	return word
		.slice(start.index + start[0].length)
		.trim()
		.split(/\s+/)
		.map((part) => part.replaceAll(/['"]/g, ''));
}

// Until v1.18 the image hyperkube held all components, and `hyperkube controller-manager` starts one.
const nameIn = (component: ComponentName, text: string) =>
	new RegExp(`(?:^|[\\s/])(?:kube-)?${component.slice('kube-'.length)}(?=\\s)`).exec(text);

/** What shows the flags of a component: its static pod, or an object of a vendor. */
export type ComponentSource = Readonly<{
	component: ComponentName;
	/** `pod kube-system/kube-controller-manager-cp1`. */
	seenIn: string;
	isOfVendor?: true;
	/** The node on which it runs; empty if it is about all. */
	nodeName: string;
	/** Undefined if its command does not show them. */
	flags: Flags | undefined;
	/** The release of its image. */
	version?: string | undefined;
}>;

export const components: readonly ComponentName[] = ['kube-controller-manager', 'kube-apiserver'];

/**
 * Decodes the mirror pod of a control plane component in kube-system; undefined for other pods, whose arguments are not read.
 * A pod that is no mirror may belong to another, hosted cluster.
 */
export function decodeStaticPod(value: unknown): ComponentSource | undefined {
	const {metadata, spec} = partsOf<V1Pod>(value);
	const name = textOf(metadata.name);
	const label = metadata.labels?.['component'];
	const component = components.find((one) => label === one || name === one || name.startsWith(`${one}-`));
	const isStatic =
		textOf(metadata.namespace) === 'kube-system' &&
		metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined;
	if (!component || !isStatic) return undefined;
	const containers = entriesOf(spec.containers);
	const own = containers.find((container) => container?.name === component) ?? containers[0] ?? {};
	const words = [...entriesOf(own.command), ...entriesOf(own.args)].map(textOf);
	const version = /:(v?\d+\.\d+[^@/]*)(?:@|$)/.exec(textOf(own.image))?.[1];
	return {
		component,
		seenIn: `pod kube-system/${name}`,
		nodeName: textOf(spec.nodeName),
		flags: readComponentFlags(component, words),
		version,
	};
}
