import type {V1PersistentVolume, V1PersistentVolumeClaim, V1VolumeAttachment} from '@kubernetes/client-node';
import type {Attachment, Claim, Volume} from '../../core/model/workloads/related.ts';
import {entriesOf, isObject, partsOf, textMapOf, textOf} from '../codec/rawJson.ts';
import {namedOf} from './decodeController.ts';
import {decodeNodeTerms} from './schedulingRules.ts';

/** Volume types without an attach limit per node or a zone. */
const plainSources = ['hostPath', 'local', 'nfs'] as const;
/** Labels that the scheduler also takes into account. */
const zoneLabels: readonly string[] = [
	...['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'],
	...['failure-domain.beta.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/region'],
];

/** Decodes a PersistentVolume; undefined if it has no name. */
export function decodeVolume(value: unknown): Volume | undefined {
	const {metadata, spec} = partsOf<V1PersistentVolume>(value);
	const {name, labels} = metadata;
	if (textOf(name) === '') return undefined;
	const nodeTerms = decodeNodeTerms(spec.nodeAffinity?.required);
	const isPlain =
		plainSources.some((kind) => isObject(spec[kind])) &&
		!entriesOf(spec.accessModes).includes('ReadWriteOncePod') &&
		!Object.keys(textMapOf(labels)).some((key) => zoneLabels.includes(key));
	return {name: textOf(name), nodeTerms, isPlain};
}

/** Decodes a VolumeAttachment; undefined if it is not attached. */
export function decodeAttachment(value: unknown): Attachment | undefined {
	const {spec, status} = partsOf<V1VolumeAttachment>(value);
	if (status.attached !== true) return undefined;
	return {node: textOf(spec.nodeName), volume: textOf(spec.source?.persistentVolumeName)};
}

/** Access modes that allow one node only. */
const exclusive: ReadonlySet<unknown> = new Set(['ReadWriteOnce', 'ReadWriteOncePod']);

/** Decodes a PersistentVolumeClaim; undefined if it is bound to no volume. */
export function decodeClaim(value: unknown): Claim | undefined {
	const {metadata, spec} = partsOf<V1PersistentVolumeClaim>(value);
	const {name, namespace} = namedOf(metadata);
	const volume = textOf(spec.volumeName);
	if (name === '' || volume === '') return undefined;
	return {
		namespace,
		name,
		volume,
		isShared: !entriesOf(spec.accessModes).every((mode) => exclusive.has(mode)),
	};
}
