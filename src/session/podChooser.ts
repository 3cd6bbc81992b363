import type {NodeChooser} from '../cluster/transport/selection.ts';
import type {DeviceIdentity} from '../core/model/device.ts';
import {isControlPlaneNode, isReadyNode} from '../core/model/node.ts';
import type {Observation} from '../core/model/observation.ts';
import {defaultSettings} from '../core/model/versionProfile.ts';
import {zoneKey, zoneLabel} from '../core/model/zone.ts';
import type {Instant} from '../core/time/instant.ts';
import {nodesOfNamedDevices} from '../forecast/conclude/deviceEvictions.ts';
import {FirstLook} from '../forecast/firstLook.ts';
import type {Forecaster} from '../forecast/forecaster.ts';

/** What is read even if nothing is wrong with it. */
type Requested = {
	readonly nodes?: readonly string[];
	readonly zones?: readonly string[];
	readonly devices?: readonly DeviceIdentity[];
	/** Whether ready workers are read too, to show the effect of losing one more node: one of each zone in a large cluster. */
	readonly readyWorkers?: boolean;
};

type ScopeSource = Pick<Forecaster, 'podScope' | 'settings'>;

/** Chooses the nodes whose pods are read: those that a forecast needs, and those that are requested. */
export class PodChooser implements NodeChooser {
	readonly #forecaster: ScopeSource | undefined;
	readonly #onLook: (look: FirstLook) => void;
	readonly #zones: ReadonlySet<string>;
	readonly #devices: readonly DeviceIdentity[];
	readonly #readsWorkers: boolean;
	#requested: readonly string[];

	/**
	 * @param forecaster absent if only one snapshot is read
	 * @param onLook receives the first look before anything else is delivered, if the pods of any node are chosen
	 */
	constructor(
		{nodes = [], zones = [], devices = [], readyWorkers = false}: Requested = {},
		forecaster?: ScopeSource,
		onLook: (look: FirstLook) => void = () => undefined,
	) {
		this.#requested = nodes;
		this.#zones = new Set(zones);
		this.#devices = devices;
		this.#readsWorkers = readyWorkers;
		this.#forecaster = forecaster;
		this.#onLook = onLook;
	}

	first(observations: readonly Observation[], now: Instant): readonly string[] {
		const ofZones = observations.flatMap((one) =>
			one.type === 'nodeApplied' && this.#zones.has(zoneLabel(zoneKey(one.node))) ? one.node.name : [],
		);
		this.#requested = [...new Set([...this.#requested, ...ofZones, ...this.#nodesOfDevices(observations)])];
		const look = new FirstLook(observations, now, this.#forecaster?.settings ?? defaultSettings);
		const isOnce = this.#forecaster === undefined;
		const late = isOnce && look.late.length <= maxWorkers ? look.late : [];
		const scope = new Set([...look.podScope, ...late, ...this.#requested]);
		const chosen = [...scope, ...(this.#readsWorkers ? readyWorkersOutside(observations, scope) : [])];
		if (chosen.length > 0) this.#onLook(look);
		return chosen;
	}

	#nodesOfDevices(observations: readonly Observation[]): readonly string[] {
		if (this.#devices.length === 0) return [];
		const nodes = observations.flatMap((one) => (one.type === 'nodeApplied' ? one.node.name : []));
		const slices = observations.flatMap((one) =>
			one.type === 'deviceObjectApplied' && one.object.kind === 'ResourceSlice' ? one.object : [],
		);
		return nodesOfNamedDevices(this.#devices, slices, nodes);
	}

	wanted(now: Instant): readonly string[] {
		return [...new Set([...(this.#forecaster?.podScope(now) ?? []), ...this.#requested])];
	}
}

/** With more ready workers outside the scope than this, only one of each zone is read; with more late nodes, none of them. */
const maxWorkers = 50;

/** Whether the pods of all these ready workers outside the scope are read if `readyWorkers` is requested. */
export const areAllWorkersRead = (outside: readonly unknown[]): boolean => outside.length <= maxWorkers;

/** Ready workers outside the scope: all in a small cluster, else the first of each zone. */
function readyWorkersOutside(
	observations: readonly Observation[],
	scope: ReadonlySet<string>,
): readonly string[] {
	const nodes = observations.flatMap((one) => (one.type === 'nodeApplied' ? one.node : []));
	const workers = nodes.filter(
		(node) => isReadyNode(node) && !isControlPlaneNode(node) && !scope.has(node.name),
	);
	if (areAllWorkersRead(workers)) return workers.map(({name}) => name);
	return [...Map.groupBy(workers, zoneKey).values()].flatMap(([first]) => first?.name ?? []);
}
