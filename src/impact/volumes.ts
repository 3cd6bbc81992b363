import type {Controller, NodeTerms, Related, Volume} from '../core/model/workloads/related.ts';
import type {PodForecast} from '../forecast/podForecast.ts';

/** A volume of a pod that is attached to its node, and that no other node can have meanwhile. */
export type HeldVolume = {readonly claim: string; readonly volume: string};

/** What the volumes of a new pod say of where it may run. */
export type VolumeWishes = {
	/** From where each of them can be reached. */
	readonly terms: readonly NodeTerms[];
	/** Whether that is all that they say. */
	readonly isAll: boolean;
};

/** Finds the volumes for which the successor of a pod must wait. */
export class Volumes {
	readonly #claims: ReadonlyMap<string, string>;
	readonly #attached: ReadonlySet<string>;
	readonly #bound: ReadonlyMap<string, string>;
	readonly #volumes: ReadonlyMap<string, Volume>;

	constructor({claims, attachments, volumes}: Pick<Related, 'claims' | 'attachments' | 'volumes'>) {
		this.#bound = new Map(claims.map(({namespace, name, volume}) => [`${namespace}/${name}`, volume]));
		this.#volumes = new Map(volumes.map((volume) => [volume.name, volume]));
		this.#claims = new Map(
			claims.flatMap(({namespace, name, volume, isShared}) =>
				isShared ? [] : [[`${namespace}/${name}`, volume] as const],
			),
		);
		this.#attached = new Set(attachments.map(({node, volume}) => `${node} ${volume}`));
	}

	/** @param owner of the pod, whose template names its claims; undefined where it is not known */
	heldFor({namespace, name, node}: PodForecast, owner: Controller | undefined): readonly HeldVolume[] {
		if (!owner || this.#attached.size === 0) return [];
		return claimsOf(owner, name).flatMap((claim) => {
			const volume = this.#claims.get(`${namespace}/${claim}`);
			return volume !== undefined && this.#attached.has(`${node} ${volume}`) ? [{claim, volume}] : [];
		});
	}

	/** Where the volumes of a replacement pod allow it to run. */
	wishesFor({namespace, name}: Pick<PodForecast, 'namespace' | 'name'>, owner: Controller): VolumeWishes {
		const claims = claimsOf(owner, name);
		const volumes = claims.flatMap(
			(claim) => this.#volumes.get(this.#bound.get(`${namespace}/${claim}`) ?? '') ?? [],
		);
		return {
			terms: volumes.flatMap(({nodeTerms}) => (nodeTerms ? [nodeTerms] : [])),
			isAll: volumes.length === claims.length && volumes.every(({isPlain}) => isPlain),
		};
	}
}

/** The names of the claims of an owner's pod: those that all share, and its own. */
const claimsOf = ({template, claimTemplates}: Controller, pod: string): readonly string[] => [
	...template.claims,
	...claimTemplates.map((one) => `${one}-${pod}`),
];

/** What a replacement elsewhere has to wait for, in words; empty where it does not. */
export function volumeWords(volumes: readonly HeldVolume[], node: string): string {
	if (volumes.length === 0) return '';
	const names = volumes.map(({claim, volume}) => `${volume} (claim ${claim})`).join(', ');
	return `; on another node its successor waits for ${names}, attached to ${node}: detached by force 6 min after this pod is gone at the earliest, unless the node is out of service`;
}
