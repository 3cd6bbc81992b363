import type {Simulation} from '../../core/simulation/simulation.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {Hypothesis} from '../infer/hypothesis.ts';
import type {Pausable} from '../pausable.ts';
import type {TrajectoryRecorder} from './trajectory.ts';

/** A machine on its way, and what was taken down of it. */
export type Checkpoint = {readonly machine: Simulation; readonly recorder: TrajectoryRecorder};

/** So many places on the way of one hidden state are kept, beside its beginning: machines of large clusters are large. */
const mostPlaces = 3;

/**
 * Trajectories of hidden states to which nothing is done: questions of different instants share what comes before the first
 * change.
 */
export class Checkpoints {
	readonly #places = new Map<Hypothesis, readonly Checkpoint[]>();

	/** A machine of a hidden state at an instant, of which whoever asks may make what they like. */
	*at(
		hypothesis: Hypothesis,
		at: Instant,
		begin: () => Pausable<Checkpoint>,
		advance: (begun: Checkpoint) => Pausable<void>,
	): Pausable<Checkpoint> {
		const known = this.#places.get(hypothesis) ?? [yield* begin()];
		const before = known.findLast(({machine}) => machine.now <= at);
		const isThere = before !== undefined && before.machine.now === at;
		const place = isThere ? before : before ? copyOf(before) : yield* begin();
		if (!isThere) yield* advance(place);
		const [first = place, ...others] = known;
		const kept = [...others, ...(isThere ? [] : [place])].toSorted((a, b) => a.machine.now - b.machine.now);
		this.#places.set(hypothesis, [first, ...kept.slice(-mostPlaces)]);
		return copyOf(place);
	}
}

function copyOf({machine, recorder}: Checkpoint): Checkpoint {
	const copy = machine.fork();
	return {machine: copy, recorder: recorder.fork(copy)};
}
