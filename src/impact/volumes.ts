import {mapBy} from '../core/collections/mapBy.ts';
import {nameOf} from '../core/model/objectName.ts';
import {podKey} from '../core/model/pod.ts';
import type {
	Attachment,
	Claim,
	Controller,
	NodeTerms,
	Related,
	Volume,
} from '../core/model/workloads/related.ts';
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
	/** By volume: the nodes that it is attached to. */
	readonly #attached: ReadonlyMap<string, readonly Attachment[]>;
	readonly #volumes: ReadonlyMap<string, Volume>;

	constructor({claims, attachments, volumes}: Related) {
		this.#volumes = mapBy(volumes, nameOf);
		this.#claims = mapBy(claims, podKey);
		this.#attached = Map.groupBy(attachments, ({volume}) => volume);
	}

	/** The volumes of a pod that are attached to its node. @param owner of the pod, whose template names its claims; undefined if not known */
	heldFor(pod: PodForecast, owner: Controller | undefined): readonly HeldVolume[] {
		return this.#attachedFor(pod, owner).flatMap(({node, ...held}) => (node === pod.node ? held : []));
	}

	/** The volumes that a pod on another node waits for, as dead nodes have them; empty if there are none. */
	waitWords(pod: PodForecast, owner: Controller | undefined, isDead: (node: string) => boolean): string {
		const waits = Map.groupBy(
			this.#attachedFor(pod, owner).filter(({node}) => node !== pod.node && isDead(node)),
			({node}) => node,
		);
		return [...waits].map(([node, volumes]) => attachedWords(volumes, node, 'the pod there')).join('; ');
	}

	#attachedFor({namespace, name}: PodForecast, owner: Controller | undefined) {
		if (!owner || this.#attached.size === 0) return [];
		return claimsOf(owner, name).flatMap((claim) => {
			const {volume = '', isShared} = this.#claims.get(`${namespace}/${claim}`) ?? {};
			const nodes = isShared ? [] : (this.#attached.get(volume) ?? []);
			return nodes.map(({node}) => ({claim, volume, node}));
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
export const volumeWords = (volumes: readonly HeldVolume[], node: string) =>
	`; on another node its successor waits for ${attachedWords(volumes, node, 'this pod')}`;

function attachedWords(volumes: readonly HeldVolume[], node: string, whose: string): string {
	const names = volumes.map(({claim, volume}) => `${volume} (claim ${claim})`).join(', ');
	return `${names}, attached to ${node}: detached by force 6 min after ${whose} is gone at the earliest, unless the node is out of service`;
}
