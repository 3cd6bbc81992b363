import type {Instant} from '../../core/time/instant.ts';
import type {ActionKind} from '../../forecast/ledger/controllerAction.ts';
import type {Divergence, DivergenceKind, DivergenceReason} from './divergence.ts';
import type {CaseExplanation, UnexplainedAction} from './unexplainedAction.ts';

/** Number of ended divergences that are kept. */
const maxEnded = 200;

/** A divergence with its case. */
type Entry = {readonly divergence: Divergence; readonly of: UnexplainedAction};

/** Stores the open divergences, the newest ended ones, and counts. */
export class DivergenceBook {
	readonly #open = new Map<string, Entry>();
	#ended: readonly Divergence[] = [];
	readonly #counts: Record<DivergenceKind, number> = {Late: 0, Early: 0, Missing: 0, Unexpected: 0};
	readonly #onChange: (divergence: Divergence) => void;

	/** @param onChange called for each divergence that is new, or has changed */
	constructor(onChange: (divergence: Divergence) => void) {
		this.#onChange = onChange;
	}

	/** Open ones first, then the newest that ended. */
	get all(): readonly Divergence[] {
		return [...[...this.#open.values()].map(({divergence}) => divergence), ...this.#ended];
	}

	get counts(): Readonly<Record<DivergenceKind, number>> {
		return {...this.#counts};
	}

	get open(): readonly Entry[] {
		return [...this.#open.values()];
	}

	entryOf(id: string): Entry | undefined {
		return this.#open.get(id);
	}

	/** Adds a divergence. Only a missing action stays open: the others end when they come. */
	raise(of: UnexplainedAction, explanation: CaseExplanation): void {
		const divergence = divergenceOf(of, explanation);
		this.#counts[of.kind] += 1;
		if (divergence.endedAt === null) this.#open.set(of.id, {divergence, of});
		else this.#keep(divergence);
		this.#onChange(divergence);
	}

	/** Replaces the reason of an open divergence. */
	explain(id: string, explanation: CaseExplanation): void {
		const entry = this.#open.get(id);
		if (!entry) return;
		const {action} = entry.of;
		const isAlarm = isAlarming(action, explanation.reason);
		const divergence = {...entry.divergence, ...explanation, isAlarm};
		this.#open.set(id, {...entry, divergence});
		this.#onChange(divergence);
	}

	/** A missing action came after all. */
	markLate(id: string, at: Instant, now: Instant, explanation: CaseExplanation): void {
		const entry = this.#open.get(id);
		if (!entry) return;
		this.#counts.Late += 1;
		const isAlarm = isAlarming(entry.of.action, explanation.reason);
		const late = {kind: 'Late', actual: at, endedAt: now, isAlarm} as const;
		this.#end(id, {...entry.divergence, ...explanation, ...late});
	}

	/** A missing action is no longer expected. */
	end(id: string, now: Instant): void {
		const entry = this.#open.get(id);
		if (entry) this.#end(id, {...entry.divergence, endedAt: now});
	}

	#end(id: string, divergence: Divergence): void {
		this.#open.delete(id);
		this.#keep(divergence);
		this.#onChange(divergence);
	}

	#keep(divergence: Divergence): void {
		this.#ended = [divergence, ...this.#ended].slice(0, maxEnded);
	}
}

function divergenceOf(of: UnexplainedAction, {reason, because, explainedBy}: CaseExplanation): Divergence {
	const {id, kind, action, object, zone, expected, at, now} = of;
	return {
		...{id, kind, action, object, zone, expected, reason, because, explainedBy},
		actual: at?.hi ?? null,
		isAlarm: isAlarming(action, reason),
		noticedAt: now,
		endedAt: at ? now : null,
	};
}

/**
 * Whether an operator should be alerted. A restart only delays actions, and a foreign taint is no failure, unless it is one
 * of the controllers' taints, after which pods are evicted as in an outage.
 */
function isAlarming(action: ActionKind, reason: DivergenceReason): boolean {
	if (reason === 'ObservationGap' || reason === 'ControllerRestarted') return false;
	return reason !== 'ForeignTaint' || action === 'TaintNode';
}
