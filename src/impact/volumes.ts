import {mapBy} from '../core/collections/mapBy.ts';
import {podKey} from '../core/model/pod.ts';
import type {Claim, Controller, NodeTerms, Related, Volume} from '../core/model/workloads/related.ts';
import type {HeldVolume, PodForecast} from '../forecast/podForecast.ts';

/** Where the volumes of a new pod allow it to run. */
export type VolumeWishes = {
	/** For each volume, the nodes that can reach it. */
	readonly terms: readonly NodeTerms[];
	/** Whether the volumes have no other restriction. */
	readonly isAll: boolean;
};

/** Finds the volumes that a pod's replacement must wait for. */
export class Volumes {
	readonly #claims: ReadonlyMap<string, Claim>;
	readonly #attached: ReadonlySet<string>;
	readonly #volumes: ReadonlyMap<string, Volume>;

	constructor({claims, attachments, volumes}: Related) {
		this.#volumes = mapBy(volumes, (volume) => volume.name);
		this.#claims = mapBy(claims, podKey);
		this.#attached = new Set(attachments.map(({node, volume}) => `${node} ${volume}`));
	}

	/** @param owner of the pod, whose template names its claims; undefined if not known */
	heldFor({namespace, name, node}: PodForecast, owner: Controller | undefined): readonly HeldVolume[] {
		if (!owner || this.#attached.size === 0) return [];
		return claimsOf(owner, name).flatMap((claim) => {
			const {volume, isShared} = this.#claims.get(`${namespace}/${claim}`) ?? {};
			return volume !== undefined && !isShared && this.#attached.has(`${node} ${volume}`)
				? [{claim, volume}]
				: [];
		});
	}

	/** Where the volumes of a replacement pod allow it to run. */
	wishesFor({namespace, name}: PodForecast, owner: Controller): VolumeWishes {
		const claims = claimsOf(owner, name);
		const volumes = claims.flatMap(
			(claim) => this.#volumes.get(this.#claims.get(`${namespace}/${claim}`)?.volume ?? '') ?? [],
		);
		return {
			terms: volumes.flatMap(({nodeTerms}) => (nodeTerms ? [nodeTerms] : [])),
			isAll: volumes.length === claims.length && volumes.every(({isPlain}) => isPlain),
		};
	}
}

/** The names of the claims of an owner's pod: shared ones and its own. */
const claimsOf = ({template, claimTemplates}: Controller, pod: string) => [
	...template.claims,
	...claimTemplates.map((one) => `${one}-${pod}`),
];

/** Describes what a replacement on another node must wait for. */
export function volumeWords(volumes: readonly HeldVolume[], node: string): string {
	const names = volumes.map(({claim, volume}) => `${volume} (claim ${claim})`).join(', ');
	return `; on another node its successor waits for ${names}, attached to ${node}: detached by force 6 min after this pod is gone at the earliest, unless the node is out of service`;
}
