import type {V1Container, V1Pod} from '@kubernetes/client-node';
import type {ComponentFlags, ComponentName} from '../../core/model/controlPlane.ts';
import {entriesOf, fieldsOf, partsOf, textOf} from '../codec/rawJson.ts';

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
 * takes no separate value, underscores are dashes, the last of a repeated flag wins, and lists are joined.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/component-base/cli/flag/flags.go WordSepNormalizeFunc
 * @upstream github.com/spf13/pflag v1.0.9 flag.go parseLongArg
 */
export function readComponentFlags(
	component: ComponentName,
	words: readonly string[],
): ReadonlyMap<string, string> {
	const kinds = known[component];
	const flags = new Map<string, string>();
	const rest = words.flatMap((word) => shellWords(component, word));
	for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
		const [, spelt, assigned] = /^--([^=\s]+)(?:=(.*))?$/s.exec(word) ?? [];
		if (spelt === undefined) continue;
		const name = spelt.replaceAll('_', '-');
		const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
		if (!kind) {
			// An unknown flag may or may not take the next word; a word that starts with a dash is another flag.
			if (assigned === undefined && rest[0]?.startsWith('-') === false) rest.shift();
			continue;
		}
		const value = assigned ?? (kind === 'switch' ? 'true' : (rest.shift() ?? ''));
		const before = flags.get(name);
		flags.set(name, kind === 'list' && before !== undefined ? `${before},${value}` : value);
	}
	return flags;
}

// Some clusters start their components through a shell: `sh -c "exec kube-controller-manager --x=y 2>&1 | tee ..."`.
function shellWords(component: ComponentName, word: string): string[] {
	const start = new RegExp(`(?:^|[\\s/])${component}(?=\\s)`).exec(word);
	if (!start) return [word];
	return word
		.slice(start.index + start[0].length)
		.trim()
		.split(/\s+/)
		.map((part) => part.replaceAll(/['"]/g, ''));
}

/** A static pod of the control plane, and its node. */
export type StaticPod = ComponentFlags & {readonly component: ComponentName; readonly nodeName: string};

const components: readonly ComponentName[] = ['kube-controller-manager', 'kube-apiserver'];

/**
 * Decodes the mirror pod of a control plane component; undefined for other pods, whose arguments are not read. A pod that is
 * no mirror may belong to another, hosted cluster.
 */
export function decodeStaticPod(value: unknown): StaticPod | undefined {
	const {metadata, spec} = partsOf<V1Pod>(value);
	const name = textOf(metadata.name);
	const label = fieldsOf<Record<string, unknown>>(metadata.labels)['component'];
	const component = components.find((one) => label === one || name === one || name.startsWith(`${one}-`));
	const annotations = fieldsOf<Record<string, unknown>>(metadata.annotations);
	if (!component || annotations['kubernetes.io/config.mirror'] === undefined) return undefined;
	const containers = entriesOf(spec.containers).map((container) => fieldsOf<V1Container>(container));
	const own = containers.find((container) => textOf(container.name) === component) ?? containers[0] ?? {};
	const words = [...entriesOf(own.command), ...entriesOf(own.args)].map(textOf);
	return {component, pod: name, nodeName: textOf(spec.nodeName), flags: readComponentFlags(component, words)};
}
