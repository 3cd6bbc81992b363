import type {Problem} from '../core/model/problem.ts';
import type {KubeletReport, PressureLook, PressureNews} from '../core/nodepressure/pressureLook.ts';

type Chosen = Extract<PressureNews, {type: 'chosen'}>;

const nobody: Chosen = {type: 'chosen', nodes: [], problems: []};

/** What kubelets told last: the newest look at each node that is looked at, and all that they reported lately. */
export class KubeletIndex {
	#chosen = nobody;
	#reports: readonly KubeletReport[] = [];
	readonly #looks = new Map<string, PressureLook>();

	/** The nodes that are looked at. */
	get nodes(): readonly string[] {
		return this.#chosen.nodes;
	}

	/** All that is wrong with the looks. */
	get problems(): readonly Problem[] {
		return this.#chosen.problems;
	}

	get reports(): readonly KubeletReport[] {
		return this.#reports;
	}

	/** As it would be told to somebody who comes late. */
	get asNews(): readonly PressureNews[] {
		return [
			...(this.#chosen === nobody ? [] : [this.#chosen]),
			...(this.#reports.length > 0 ? [{type: 'reported', reports: this.#reports} as const] : []),
			...[...this.#looks.values()].map((look) => ({type: 'looked', look}) as const),
		];
	}

	apply(news: PressureNews): void {
		switch (news.type) {
			case 'chosen': {
				this.#chosen = news;
				const names = new Set(news.nodes);
				for (const name of this.#looks.keys()) if (!names.has(name)) this.#looks.delete(name);
				break;
			}
			case 'looked':
				this.#looks.set(news.look.node, news.look);
				break;
			case 'reported':
				this.#reports = news.reports;
				break;
		}
	}
}
