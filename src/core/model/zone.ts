import {kept} from '../collections/kept.ts';
import type {ControllerSettings} from './controllerSettings.ts';
import type {Node} from './node.ts';

const betaRegion = 'failure-domain.beta.kubernetes.io/region';
const betaZone = 'failure-domain.beta.kubernetes.io/zone';
const stableRegion = 'topology.kubernetes.io/region';
const stableZone = 'topology.kubernetes.io/zone';

const separator = ':\0:';

/**
 * The key of a node's zone; empty if it has neither a region nor a zone.
 *
 * @quirk the beta labels win over the stable ones
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/component-helpers/node/topology/helpers.go GetZoneKey
 */
export function zoneKey({labels}: Pick<Node, 'labels'>): string {
	const zone = labels[betaZone] ?? labels[stableZone] ?? '';
	const region = labels[betaRegion] ?? labels[stableRegion] ?? '';
	return region === '' && zone === '' ? '' : keyOf(region, zone);
}

/** Caches one string per zone, because keys are read very often and compare fast if they are identical. */
const keysByRegion = new Map<string, Map<string, string>>();

function keyOf(region: string, zone: string): string {
	const ofRegion = kept(keysByRegion, region, () => new Map<string, string>());
	return kept(ofRegion, zone, () => `${region}${separator}${zone}`);
}

/**
 * Removes the zone labels that a release does not read: until 1.16 only the beta ones named a zone.
 *
 * @upstream kubernetes v1.16.15 pkg/util/node/node.go GetZoneKey
 */
export function withKnownZoneLabels<T extends Pick<Node, 'labels'>>(
	node: T,
	{stableZoneLabels}: ControllerSettings,
): T {
	if (stableZoneLabels || !(stableRegion in node.labels || stableZone in node.labels)) return node;
	const {[stableRegion]: _region, [stableZone]: _zone, ...labels} = node.labels;
	return {...node, labels};
}

/** Caches the labels by key; there are few. */
const labelsByKey = new Map<string, string>();

/** A zone's key for users: `region/zone`, with `<none>` for a missing part; only `<none>` if both are missing. */
export function zoneLabel(key: string): string {
	return kept(labelsByKey, key, () => {
		const [region = '', zone = ''] = key.split(separator);
		return key === '' ? '<none>' : `${region || '<none>'}/${zone || '<none>'}`;
	});
}

/** Whether a name means the zone of a label: it may lack the region. */
export const isZoneNamed = (label: string, name: string) => label === name || label.endsWith(`/${name}`);
