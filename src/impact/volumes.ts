import type {Controller, Related} from '../core/model/related.ts';
import type {PodForecast} from '../forecast/podForecast.ts';

/** A volume of a pod that is attached to its node, and that no other node can have meanwhile. */
export type HeldVolume = {readonly claim: string; readonly volume: string};

/** Finds the volumes for which the successor of a pod must wait. */
export class Volumes {
	readonly #claims: ReadonlyMap<string, string>;
	readonly #attached: ReadonlySet<string>;

	constructor({claims, attachments}: Pick<Related, 'claims' | 'attachments'>) {
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
		const claims = [...owner.template.claims, ...owner.claimTemplates.map((one) => `${one}-${name}`)];
		return claims.flatMap((claim) => {
			const volume = this.#claims.get(`${namespace}/${claim}`);
			return volume !== undefined && this.#attached.has(`${node} ${volume}`) ? [{claim, volume}] : [];
		});
	}
}

/** What a successor elsewhere waits for, in words; nothing where there is none. */
export function volumeWords(volumes: readonly HeldVolume[], node: string): string {
	if (volumes.length === 0) return '';
	const names = volumes.map(({claim, volume}) => `${volume} (claim ${claim})`).join(', ');
	return `; on another node its successor waits for ${names}, attached to ${node}: detached by force 6 min after this pod is gone at the earliest, unless the node is out of service`;
}
