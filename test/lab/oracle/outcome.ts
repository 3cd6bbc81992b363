import type {Listed, Watched} from '../../conformance/forecastVector.ts';
import type {Action, ZoneSample} from '../../conformance/vector.ts';

/** What came of playing a scenario once. */
export type Outcome = {
	readonly name: string;
	readonly firstPassAt: number;
	readonly trace: readonly Action[];
	readonly zones: readonly ZoneSample[];
	readonly snapshots: readonly Listed[];
	readonly watched: readonly Watched[];
};

/** Reads a line of the recorder's, without what objects of the API hold for their form's sake. */
export function readOutcome(line: string): Outcome {
	const {name, firstPassAt, trace, zones, snapshots, watched} = JSON.parse(line, withoutFillers);
	return {
		name,
		firstPassAt,
		trace: trace ?? [],
		zones: zones ?? [],
		snapshots: snapshots ?? [],
		watched: watched ?? [],
	};
}

const fillers = new Set(['nodeInfo', 'daemonEndpoints', 'managedFields']);

const withoutFillers = (key: string, value: unknown) => (fillers.has(key) ? undefined : value);
