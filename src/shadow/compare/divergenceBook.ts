import type {Instant} from '../../core/time/instant.ts';
import {type ActionKind, type ControllerAction, keyOf} from '../../forecast/ledger/controllerAction.ts';
import type {Divergence, DivergenceKind, DivergenceReason} from './divergence.ts';
import type {CaseExplanation, UnexplainedAction} from './unexplainedAction.ts';

const maxEnded = 200;

type Entry = {readonly divergence: Divergence; readonly of: UnexplainedAction};

/** Stores the open divergences, the newest ended ones, and counts. */
export class DivergenceBook {
	/** Missing actions, by key: the id of the divergence may change after a takeover. */
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

	entryOf(action: Pick<ControllerAction, 'action' | 'object'>): Entry | undefined {
		return this.#open.get(keyOf(action));
	}

	/** Adds a divergence. One of a missing action stays open until the action comes, or is no longer expected. */
	raise(of: UnexplainedAction, explanation: CaseExplanation) {
		this.#counts[of.kind] += 1;
		this.#put(of, divergenceOf(of, explanation));
	}

	explain({divergence, of}: Entry, explanation: CaseExplanation) {
		this.#put(of, {...divergence, ...conclusionOf(of, explanation)});
	}

	/** A missing action came after all. */
	markLate({divergence, of}: Entry, at: Instant, now: Instant, explanation: CaseExplanation) {
		this.#counts.Late += 1;
		const late = {kind: 'Late', actual: at, endedAt: now} as const;
		this.#put(of, {...divergence, ...conclusionOf(of, explanation), ...late});
	}

	/** A missing action is no longer expected. */
	end({divergence, of}: Entry, now: Instant) {
		this.#put(of, {...divergence, endedAt: now});
	}

	#put(of: UnexplainedAction, divergence: Divergence) {
		if (divergence.endedAt === null) this.#open.set(keyOf(of), {divergence, of});
		else {
			if (of.kind === 'Missing') this.#open.delete(keyOf(of));
			this.#ended = [divergence, ...this.#ended].slice(0, maxEnded);
		}
		this.#onChange(divergence);
	}
}

/** The parts of a divergence that follow from its explanation. */
const conclusionOf = ({action}: UnexplainedAction, explanation: CaseExplanation) => ({
	...explanation,
	isAlarm: isAlarming(action, explanation.reason),
});

function divergenceOf(of: UnexplainedAction, explanation: CaseExplanation): Divergence {
	const {id, kind, action, object, zone, expected, at, now} = of;
	return {
		id,
		kind,
		action,
		object,
		zone,
		expected,
		...conclusionOf(of, explanation),
		actual: at?.hi ?? null,
		noticedAt: now,
		endedAt: at ? now : null,
	};
}

/**
 * Whether an operator is alerted to a divergence. Three reasons are no failure: an observation gap, a restart of the controllers,
 * which only delays actions, and a taint that somebody else changed. But if somebody else adds one of the controllers' own taints,
 * pods are evicted as in an outage.
 */
function isAlarming(action: ActionKind, reason: DivergenceReason) {
	if (reason === 'ObservationGap' || reason === 'ControllerRestarted') return false;
	return reason !== 'ForeignTaint' || action === 'TaintNode';
}
