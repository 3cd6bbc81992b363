import type {NodeChooser} from '../cluster/transport/selection.ts';
import type {DeviceIdentity} from '../core/model/device.ts';
import {isControlPlaneNode, isReadyNode, type Node} from '../core/model/node.ts';
import type {Observation} from '../core/model/observation.ts';
import {defaultSettings} from '../core/model/versionProfile.ts';
import {zoneKey, zoneLabel} from '../core/model/zone.ts';
import type {Instant} from '../core/time/instant.ts';
import {nodesOfNamedDevices} from '../forecast/conclude/deviceEvictions.ts';
import {FirstLook} from '../forecast/firstLook.ts';
import type {Forecaster} from '../forecast/forecaster.ts';

/** What is read whatever is wrong with it. */
type Asked = {
	readonly nodes?: readonly string[];
	readonly zones?: readonly string[];
	readonly devices?: readonly DeviceIdentity[];
	/** Whether ready workers are read too, to say what the loss of one more node would do: one of each zone of a large cluster. */
	readonly readyWorkers?: boolean;
};

/** Takes in all that is told. */
type ScopeSource = Pick<Forecaster, 'podScope' | 'settings'>;

/** The nodes whose pods are worth to be read: those of which a forecast needs them, and those that are asked for. */
export class PodChooser implements NodeChooser {
	readonly #forecaster: ScopeSource | undefined;
	readonly #onLook: (look: FirstLook) => void;
	readonly #zones: ReadonlySet<string>;
	readonly #devices: readonly DeviceIdentity[];
	readonly #readsWorkers: boolean;
	#asked: readonly string[];

	/**
	 * @param forecaster absent where nothing is told after a first look
	 * @param onLook told of that look where the pods of some nodes are waited for, before anything else is told
	 */
	constructor(
		{nodes = [], zones = [], devices = [], readyWorkers = false}: Asked = {},
		forecaster?: ScopeSource,
		onLook: (look: FirstLook) => void = () => undefined,
	) {
		this.#asked = nodes;
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
		this.#asked = [...new Set([...this.#asked, ...ofZones, ...this.#nodesOfDevices(observations)])];
		const look = new FirstLook(observations, now, this.#forecaster?.settings ?? defaultSettings);
		const isOnce = this.#forecaster === undefined;
		const late = isOnce && look.late.length <= mostWorkers ? look.late : [];
		const scope = new Set([...look.podScope, ...late, ...this.#asked]);
		const chosen = [...scope, ...(this.#readsWorkers ? soundWorkers(observations, scope) : [])];
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
		return [...new Set([...(this.#forecaster?.podScope(now) ?? []), ...this.#asked])];
	}
}

/** In a cluster of more ready workers, only one of each zone is read; of more late nodes, none. */
const mostWorkers = 50;

const readyWorkersOf = (nodes: readonly Node[]): readonly Node[] =>
	nodes.filter((node) => isReadyNode(node) && !isControlPlaneNode(node));

/** Whether the pods of all ready workers are read, where those of ready workers are asked for. */
export const areAllWorkersRead = (nodes: readonly Node[]): boolean =>
	readyWorkersOf(nodes).length <= mostWorkers;

/** Ready workers that are in no trouble: all of a small cluster, else the first of each zone. */
function soundWorkers(
	observations: readonly Observation[],
	inTrouble: ReadonlySet<string>,
): readonly string[] {
	const nodes = observations.flatMap((one) => (one.type === 'nodeApplied' ? one.node : []));
	const workers = readyWorkersOf(nodes).filter(({name}) => !inTrouble.has(name));
	if (areAllWorkersRead(nodes)) return workers.map(({name}) => name);
	return [...Map.groupBy(workers, zoneKey).values()].flatMap(([first]) => first?.name ?? []);
}
