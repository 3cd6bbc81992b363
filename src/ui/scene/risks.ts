import {podKey} from '../../core/model/pod.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {Range} from '../../forecast/range.ts';
import {isOnlyBelowBudget} from '../../impact/endpoints.ts';
import type {WorkloadImpact} from '../../impact/workloadImpact.ts';
import {inWords} from '../../print/countdown.ts';
import {countdown} from './spans.ts';

/** A workload that reaches zero or falls below its budget, or a service that loses its endpoints. */
export type Risk = Readonly<{
	kind: 'Zero' | 'Budget' | 'Service';
	namespace: string;
	name: string;
	/** The lowest number of ready ones, if none are added. */
	lowest: number;
	/** The desired number; for a service the number ready now; null if not known. */
	of: number | null;
	/** When this happens; null if it has already. */
	at: Range | null;
}>;

/** The consequences for workloads, as far as these could be read. */
export class Impacts {
	readonly all: readonly WorkloadImpact[];
	#risks: readonly Risk[] | undefined;

	constructor(all: readonly WorkloadImpact[]) {
		this.all = all;
	}

	/** Workloads that reach zero, services without endpoints, broken budgets; each kind sorted by time. */
	get risks(): readonly Risk[] {
		this.#risks ??= findRisks(this.all);
		return this.#risks;
	}

	inNamespace(namespace: string): Impacts {
		return new Impacts(this.all.filter((one) => one.namespace === namespace));
	}
}

function findRisks(impacts: readonly WorkloadImpact[]): readonly Risk[] {
	const of = (
		kind: Risk['kind'],
		risksOf: (impact: WorkloadImpact) => readonly Omit<Risk, 'kind' | 'namespace'>[],
	) =>
		impacts
			.flatMap((impact) =>
				risksOf(impact).map((risk): Risk => ({kind, namespace: impact.namespace, ...risk})),
			)
			.toSorted((a, b) => (a.at?.expected ?? 0) - (b.at?.expected ?? 0));
	const lowest = ({name, desired, lowest: low}: WorkloadImpact) =>
		({name, lowest: low.ready ?? 0, of: desired, at: low.at}) as const;
	const services = of('Service', ({endpoints}) =>
		endpoints.flatMap(({service, readyNow, lowest: low}) =>
			low.ready === 0 && (low.at !== null || readyNow > 0)
				? [{name: service, lowest: 0, of: readyNow, at: low.at}]
				: [],
		),
	);
	const isNew = ({namespace, name}: Risk, index: number) =>
		services.findIndex((one) => one.namespace === namespace && one.name === name) === index;
	return [
		...of('Zero', (impact) => (impact.reachesZero ? [lowest(impact)] : [])),
		...services.filter(isNew),
		...of('Budget', (impact) => (isOnlyBelowBudget(impact) ? [lowest(impact)] : [])),
	];
}

/** `payments/ledger 0 of 3 in 2:10`, `service shop/cart no endpoints in 2:10`, `shop/web 1 of 3 in 2:10, below its budget`. */
export function riskWords(risk: Risk, now: Instant): string {
	const {kind, lowest, of, at} = risk;
	const when = at === null ? 'now' : inWords(countdown(at, now));
	const full = podKey(risk);
	if (kind === 'Service') return `service ${full} no endpoints ${when}`;
	return `${full} ${lowest}${of === null ? '' : ` of ${of}`} ${when}${kind === 'Budget' ? ', below its budget' : ''}`;
}
