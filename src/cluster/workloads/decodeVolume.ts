import type {
	V1ObjectMeta,
	V1PersistentVolume,
	V1PersistentVolumeSpec,
	V1VolumeNodeAffinity,
} from '@kubernetes/client-node';
import type {Volume} from '../../core/model/related.ts';
import {decodeNodeTerms} from '../codec/decodeNodeTerms.ts';
import {entriesOf, fieldsOf, textMapOf, textOf} from '../codec/rawJson.ts';

/** Sources of which a node may have any number, and that no zone binds. */
const plainSources = ['hostPath', 'local', 'nfs'] as const;
/** Where these are set, the scheduler goes by them as well. */
const zoneLabels: readonly string[] = [
	...['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'],
	...['failure-domain.beta.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/region'],
];

/** Reads a PersistentVolume; undefined where it has no name. */
export function decodeVolume(value: unknown): Volume | undefined {
	const volume = fieldsOf<V1PersistentVolume>(value);
	const {name, labels} = fieldsOf<V1ObjectMeta>(volume.metadata);
	if (textOf(name) === '') return undefined;
	// In protobuf the source is a part of its own.
	const spec = fieldsOf<V1PersistentVolumeSpec & {persistentVolumeSource: V1PersistentVolumeSpec}>(
		volume.spec,
	);
	const source = fieldsOf<V1PersistentVolumeSpec>(spec.persistentVolumeSource ?? spec);
	const nodeTerms = decodeNodeTerms(fieldsOf<V1VolumeNodeAffinity>(spec.nodeAffinity).required);
	const isPlain =
		plainSources.some((kind) => source[kind] !== undefined && source[kind] !== null) &&
		!entriesOf(spec.accessModes).includes('ReadWriteOncePod') &&
		!Object.keys(textMapOf(labels)).some((key) => zoneLabels.includes(key));
	return {name: textOf(name), ...(nodeTerms && {nodeTerms}), isPlain};
}
