import type {NodeChooser} from '../cluster/transport/selection.ts';
import type {DeviceIdentity} from '../core/model/device.ts';
import type {Observation} from '../core/model/observation.ts';
import {zoneKey, zoneLabel} from '../core/model/zone.ts';
import type {Instant} from '../core/time/instant.ts';
import {nodesOfNamedDevices} from '../forecast/conclude/deviceEvictions.ts';
import type {Forecaster} from '../forecast/forecaster.ts';
import {podScopeOfFirst} from '../forecast/podScope.ts';

/** What is read whatever is wrong with it. */
type Asked = {
	readonly nodes?: readonly string[];
	readonly zones?: readonly string[];
	readonly devices?: readonly DeviceIdentity[];
};

/** The nodes whose pods are worth to be read: those of which a forecast needs them, and those that are asked for. */
export class PodChooser implements NodeChooser {
	readonly #forecaster: Pick<Forecaster, 'podScope'> | undefined;
	readonly #zones: ReadonlySet<string>;
	readonly #devices: readonly DeviceIdentity[];
	#asked: readonly string[];

	/** @param forecaster takes in all that is told; absent where nothing is after a first look */
	constructor({nodes = [], zones = [], devices = []}: Asked = {}, forecaster?: Pick<Forecaster, 'podScope'>) {
		this.#asked = nodes;
		this.#zones = new Set(zones);
		this.#devices = devices;
		this.#forecaster = forecaster;
	}

	first(observations: readonly Observation[], now: Instant): readonly string[] {
		const ofZones = observations.flatMap((one) =>
			one.type === 'nodeApplied' && this.#zones.has(zoneLabel(zoneKey(one.node))) ? one.node.name : [],
		);
		this.#asked = [...new Set([...this.#asked, ...ofZones, ...this.#nodesOfDevices(observations)])];
		return [...new Set([...podScopeOfFirst(observations, now), ...this.#asked])];
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
