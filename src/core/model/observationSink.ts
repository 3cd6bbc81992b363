import type {PressureNews} from '../nodepressure/pressureLook.ts';
import type {Instant} from '../time/instant.ts';
import type {Observation, Provenance} from './observation.ts';
import type {Problem} from './problem.ts';
import type {Related} from './workloads/related.ts';

/** Takes in what is seen of a cluster, as it is seen, or as a recording tells it. */
export type ObservationSink = {
	/** @param arrivedAt by the clock of whoever watches */
	observe(observations: readonly Observation[], arrivedAt: Instant, provenance?: Provenance): void;
	/** Takes in all that is wrong with what is seen, whenever that changes; `at` where that is not now. */
	reportProblems(problems: readonly Problem[], at?: Instant): void;
	/** Takes in what belongs to pods, as it was read. */
	reportRelated?(related: Related, at: Instant): void;
	/** Takes in what kubelets tell of pressure: it says nothing of the watches, so that it is no observation. */
	reportPressure?(news: PressureNews, at: Instant): void;
};
