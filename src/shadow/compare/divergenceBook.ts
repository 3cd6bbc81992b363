import type {Instant} from '../../core/time/instant.ts';
import type {ActionKind} from '../../forecast/ledger/controllerAction.ts';
import type {Case, CaseExplanation} from './case.ts';
import type {Divergence, DivergenceKind, DivergenceReason} from './divergence.ts';

/** So many that ended are kept to be shown. */
const mostEnded = 200;

/** A divergence, and the case that it was made of. */
type Entry = {readonly divergence: Divergence; readonly of: Case};

/** Keeps the divergences: those that last, the newest that ended, and how many there were. */
export class DivergenceBook {
	readonly #open = new Map<string, Entry>();
	#ended: readonly Divergence[] = [];
	readonly #counts: Record<DivergenceKind, number> = {Late: 0, Early: 0, Missing: 0, Unexpected: 0};
	readonly #tell: (divergence: Divergence) => void;

	/** @param tell is told of each that is new, or has changed */
	constructor(tell: (divergence: Divergence) => void) {
		this.#tell = tell;
	}

	/** Those that last, then the newest that ended. */
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

	/** One that is new. Only what is missing lasts: the others are over with what came. */
	raise(of: Case, explanation: CaseExplanation): void {
		const divergence = divergenceOf(of, explanation);
		this.#counts[of.kind] += 1;
		if (divergence.endedAt === null) this.#open.set(of.id, {divergence, of});
		else this.#keep(divergence);
		this.#tell(divergence);
	}

	/** Another reason explains one that lasts. */
	explain(id: string, explanation: CaseExplanation): void {
		const entry = this.#open.get(id);
		if (!entry) return;
		const {action} = entry.of;
		const isAlarm = callsSomebody(action, explanation.reason);
		const divergence = {...entry.divergence, ...explanation, isAlarm};
		this.#open.set(id, {...entry, divergence});
		this.#tell(divergence);
	}

	/** What was missing came after all. */
	came(id: string, at: Instant, now: Instant, explanation: CaseExplanation): void {
		const entry = this.#open.get(id);
		if (!entry) return;
		this.#counts.Late += 1;
		const isAlarm = callsSomebody(entry.of.action, explanation.reason);
		const late = {kind: 'Late', actual: at, endedAt: now, isAlarm} as const;
		this.#end(id, {...entry.divergence, ...explanation, ...late});
	}

	/** What was missing is not waited for any more. */
	end(id: string, now: Instant): void {
		const entry = this.#open.get(id);
		if (entry) this.#end(id, {...entry.divergence, endedAt: now});
	}

	#end(id: string, divergence: Divergence): void {
		this.#open.delete(id);
		this.#keep(divergence);
		this.#tell(divergence);
	}

	#keep(divergence: Divergence): void {
		this.#ended = [divergence, ...this.#ended].slice(0, mostEnded);
	}
}

function divergenceOf(of: Case, {reason, because, explainedBy}: CaseExplanation): Divergence {
	const {id, kind, action, object, zone, expected, at, now} = of;
	return {
		...{id, kind, action, object, zone, expected, reason, because, explainedBy},
		actual: at?.hi ?? null,
		isAlarm: callsSomebody(action, reason),
		noticedAt: now,
		endedAt: at ? now : null,
	};
}

/**
 * Whether somebody should be called. New controllers put off what was to come, and a taint that somebody chose is no
 * failure, unless it is the controllers' own, after which pods go as in an outage.
 */
function callsSomebody(action: ActionKind, reason: DivergenceReason): boolean {
	if (reason === 'ObservationGap' || reason === 'ControllerRestarted') return false;
	return reason !== 'ForeignTaint' || action === 'TaintNode';
}
