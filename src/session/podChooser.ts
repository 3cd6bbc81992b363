import type {NodeChooser} from '../cluster/transport/selection.ts';
import {maxWatches} from '../cluster/watch/followedPods.ts';
import {kept} from '../core/collections/kept.ts';
import {unique} from '../core/collections/unique.ts';
import type {DeviceIdentity} from '../core/model/device.ts';
import {isControlPlaneNode, isReadyNode, type Node} from '../core/model/node.ts';
import {nameOf} from '../core/model/objectName.ts';
import type {Observation} from '../core/model/observation.ts';
import {defaultSettings} from '../core/model/versionProfile.ts';
import {isZoneNamed, zoneKey, zoneLabel} from '../core/model/zone.ts';
import {type Duration, type Instant, second} from '../core/time/instant.ts';
import {nodesOfNamedDevices} from '../forecast/conclude/deviceEvictions.ts';
import {FirstLook} from '../forecast/firstLook.ts';
import type {Forecaster} from '../forecast/forecaster.ts';

/** What is read even if nothing is wrong with it. */
type Requested = Readonly<{
	nodes?: readonly string[];
	zones?: readonly string[];
	devices?: readonly DeviceIdentity[];
	/** Whether ready workers are read too, to show the effect of losing one more node: one of each zone in a large cluster. */
	readyWorkers?: boolean;
}>;

/** A node whose pods somebody asked for, and how long the watch tries to read them. */
type AskedNode = PromiseWithResolvers<boolean> & {until?: Instant};

const longestWait: Duration = 10 * second;

type ScopeSource = Pick<Forecaster, 'podScope' | 'settings'>;

/**
 * Chooses the nodes whose pods are read: those that a forecast needs, and those that are requested.
 *
 * @param forecaster absent if only one snapshot is read
 * @param onLook receives the first look before anything else is delivered, if the pods of any node are chosen
 */
export function podChooser(
	{nodes = [], zones = [], devices = [], readyWorkers = false}: Requested = {},
	forecaster?: ScopeSource,
	onLook: (look: FirstLook) => void = () => undefined,
): Required<NodeChooser> {
	let requested = nodes;
	let needed: ReadonlySet<string> = new Set(nodes);
	const asked = new Map<string, AskedNode>();
	return {
		first: (observations, now) => {
			const seen = observations.flatMap((one) => (one.type === 'nodeApplied' ? one.node : []));
			const ofZones = seen
				.filter((node) => zones.some((zone) => isZoneNamed(zoneLabel(zoneKey(node)), zone)))
				.map(nameOf);
			requested = unique([...requested, ...ofZones, ...nodesOfDevices(devices, seen, observations)]);
			const look = new FirstLook(observations, now, forecaster?.settings ?? defaultSettings);
			needed = new Set([...look.podScope, ...requested]);
			const chosen = [...needed, ...(readyWorkers ? readyWorkersOutside(seen, needed) : [])];
			if (chosen.length > 0) onLook(look);
			return chosen;
		},
		wanted: (now, isRead) => {
			for (const [name, one] of asked) {
				one.until ??= now + longestWait;
				if (isRead(name)) one.resolve(true);
				else if (now >= one.until) {
					asked.delete(name);
					one.resolve(false);
				}
			}
			needed = new Set([...(forecaster?.podScope(now) ?? []), ...requested]);
			return unique([...needed, ...asked.keys()]);
		},
		read: async (names) => {
			const all = new Set([...needed, ...asked.keys(), ...names]);
			// One more node would make it read the pods of all, for good.
			if (needed.size <= maxWatches && all.size > maxWatches) return false;
			const ofNames = names.map((name) => kept(asked, name, () => Promise.withResolvers<boolean>()).promise);
			return (await Promise.all(ofNames)).every((isRead) => isRead);
		},
	};
}

function nodesOfDevices(
	devices: readonly DeviceIdentity[],
	nodes: readonly Node[],
	observations: readonly Observation[],
): readonly string[] {
	if (devices.length === 0) return [];
	const slices = observations.flatMap((one) =>
		one.type === 'deviceObjectApplied' && one.object.kind === 'ResourceSlice' ? one.object : [],
	);
	return nodesOfNamedDevices(devices, slices, nodes.map(nameOf));
}

/** With more ready workers outside the scope than this, only one of each zone is read. */
const maxWorkers = 50;

/** Whether the pods of all these ready workers outside the scope are read if `readyWorkers` is requested. */
export const areAllWorkersRead = (outside: readonly unknown[]) => outside.length <= maxWorkers;

/** Ready workers outside the scope: all in a small cluster, else the first of each zone. */
function readyWorkersOutside(nodes: readonly Node[], scope: ReadonlySet<string>): readonly string[] {
	const workers = nodes.filter(
		(node) => isReadyNode(node) && !isControlPlaneNode(node) && !scope.has(node.name),
	);
	if (areAllWorkersRead(workers)) return workers.map(nameOf);
	return [...Map.groupBy(workers, zoneKey).values()].flatMap(([first]) => first?.name ?? []);
}
