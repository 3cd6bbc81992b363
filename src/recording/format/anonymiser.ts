import {isObject} from '../../cluster/codec/rawJson.ts';
import {kept} from '../../core/collections/kept.ts';

/** Fields whose texts come from Kubernetes or from this program, and name nothing of a cluster. */
const plainFields: ReadonlySet<string> = new Set([
	...['kind', 'apiVersion', 'type', 'status', 'reason', 'effect', 'operator', 'phase', 'component', 'group'],
	...['manager', 'operation', 'resource', 'apiGroup', 'restartPolicy', 'medium', 'qosClass', 'sizeLimit'],
	...['program', 'kubernetesVersion', 'kubeletVersion', 'sight', 'part', 'source'],
	...['requiredStatus', 'maxUnhealthy', 'minHealthy', 'unhealthyRange'],
	...['action', 'ended', 'completedIndexes', 'failedIndexes'],
]);
/** Parts without a name of the cluster: amounts, thresholds, and names of fields and annotations. */
const plainParts: ReadonlySet<string> = new Set([
	...['fieldsV1', 'annotations', 'allocatable', 'requests', 'limits', 'overhead', 'config'],
]);
/** Texts for people, which may contain names. */
const messageFields: ReadonlySet<string> = new Set(['message', 'why', 'otherRules', 'settings']);
/** Maps of labels. */
const labelMaps: ReadonlySet<string> = new Set(['labels', 'matchLabels', 'nodeSelector', 'selector']);
const selectorParts: ReadonlySet<string> = new Set(['matchLabels', 'matchExpressions']);

/** Names that are the same in each cluster, and mean something to the controllers or to a forecast. */
const commonNames: ReadonlySet<string> = new Set([
	...['default', 'kube-system', 'kube-node-lease', 'kube-public', 'kube-controller-manager'],
	...['pods', 'true', 'false', 'pod-template-hash', 'metadata.name'],
]);
/** The domains of labels and taints that a forecast, Kubernetes or a vendor gives a meaning. */
const commonDomain =
	/(?:^|[.-])(?:kubernetes\.io|k8s\.io|karpenter\.sh|openshift\.io|medik8s\.io|metal3\.io|k3s\.io|amazonaws\.com|google\.com|azure\.com)$/;

/** A word with a digit in it, as names of hosts have, and no version: it may be a name that was not seen yet. */
const hostLike = /^(?!v\d)[A-Za-z][\w-]*\d[\w.-]*$/;

/**
 * Replaces the names in a recording: each word of a name, a UID, a label or a zone by another word, the same each time, so that
 * all that refers to each other still does. Everything else stays.
 */
export class Anonymiser {
	readonly #words = new Map<string, string>();
	/** All names that were replaced, to find them in messages. */
	readonly #names = new Set<string>();

	/** A line of a recording without names. */
	readonly line = (line: object): object => this.#value(line, '') as object;

	/** A name without its words. The scheme of a provider ID stays, and the time in the name of an event. */
	readonly name = (text: string) => {
		if (/^\d+$/.test(text) || /^\d{4}-\d\d-\d\dT/.test(text)) return text;
		for (const part of text.split('/')) if (!commonNames.has(part)) this.#names.add(part);
		const [, scheme = '', core = '', time = ''] =
			/^([a-z][\w+.-]*:\/\/)?(.*?)(\.[0-9a-f]{14,16})?$/s.exec(text) ?? [];
		const parts = core.split('/').map((part) => (commonNames.has(part) ? part : this.#withoutWords(part)));
		return `${scheme}${parts.join('/')}${time}`;
	};

	#withoutWords(text: string): string {
		return text.replaceAll(/[A-Za-z0-9]+/g, (word) =>
			kept(this.#words, word, () => `w${this.#words.size.toString(36).padStart(3, '0')}`),
		);
	}

	#value(value: unknown, field: string): unknown {
		if (typeof value === 'string') return this.#text(value, field);
		if (Array.isArray(value)) return value.map((entry) => this.#value(entry, field));
		if (!isObject(value) || plainParts.has(field)) return value;
		if (field === 'settings') return this.#settings(value);
		const isOfLabels = labelMaps.has(field);
		return Object.fromEntries(
			Object.entries(value).map(([key, inner]) =>
				isOfLabels && !selectorParts.has(key)
					? [this.#label(key), this.#value(inner, 'value')]
					: [key, this.#value(inner, key)],
			),
		);
	}

	#text(text: string, field: string): string {
		if (plainFields.has(field)) return text;
		if (field === 'title') return 'anonymised';
		if (field === 'key') return this.#label(text);
		if (messageFields.has(field)) return this.#message(text);
		// A part of related objects that is gone: its kind, and its name.
		const [, kind, rest = ''] = (field === 'gone' && /^(\w+ )(.*)$/s.exec(text)) || [];
		if (kind === undefined) return this.name(text);
		return kind === 'Problem ' ? text : `${kind}${this.name(rest)}`;
	}

	#label(key: string): string {
		return commonDomain.test(key.split('/')[0] ?? '') ? key : this.name(key);
	}

	/** The settings are flags and where they come from: a static pod, for example. */
	#settings(value: object): object {
		const text = JSON.stringify(value);
		for (const [, pod = ''] of text.matchAll(/"pod":"([^"]+)"/g)) this.name(pod);
		return JSON.parse(text, (_, inner) => (typeof inner === 'string' ? this.#message(inner) : inner));
	}

	/** A message without what it quotes, without addresses, and without the names that were seen so far. */
	#message(text: string): string {
		const [, words, key = ''] =
			/^((?:Marking for deletion|Cancelling deletion of) Pod )(\S+)$/.exec(text) ?? [];
		if (words !== undefined) return `${words}${this.name(key)}`;
		return text
			.replaceAll(/(?<=")[^"\d][^"]*(?=")|(?<=:\/\/)[^/\s"]+|(?<=^its scheduler )\S+/g, this.name)
			.replaceAll(/(?<=\b(?:Pod|Container) )[\w./-]+(?= (?:was|exceeded) )/g, this.name)
			.replaceAll(/(?<=\bpod )[\w.-]+\/[\w.-]*[\w-]|(?<=\bkubelet of )[\w.-]*[\w-]/g, this.name)
			.replaceAll(/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, '0.0.0.0')
			.replaceAll(/[^\s",:;()/]*[^\s",:;()/.]/g, (token) =>
				this.#names.has(token) || hostLike.test(token) ? this.name(token) : token,
			);
	}
}
