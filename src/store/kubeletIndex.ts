import type {Problem} from '../core/model/problem.ts';
import type {KubeletReport, PressureLook, PressureNews} from '../core/nodepressure/pressureLook.ts';

const noChoice: Extract<PressureNews, {type: 'chosen'}> = {type: 'chosen', nodes: [], problems: []};

/** What kubelets reported last: the newest look at each chosen node, and all recent reports. */
export class KubeletIndex {
	#chosen = noChoice;
	#reports: readonly KubeletReport[] = [];
	readonly #looks = new Map<string, PressureLook>();

	get nodes(): readonly string[] {
		return this.#chosen.nodes;
	}

	get problems(): readonly Problem[] {
		return this.#chosen.problems;
	}

	get reports(): readonly KubeletReport[] {
		return this.#reports;
	}

	/** The content as news, for a late subscriber. */
	get asNews(): readonly PressureNews[] {
		return [
			...(this.#chosen === noChoice ? [] : [this.#chosen]),
			...(this.#reports.length > 0 ? [{type: 'reported', reports: this.#reports} as const] : []),
			...[...this.#looks.values()].map((look) => ({type: 'looked', look}) as const),
		];
	}

	apply(news: PressureNews) {
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
