import type {Listed, Watched} from '../../conformance/forecastVector.ts';
import type {Action, ZoneSample} from '../../conformance/vector.ts';

/** The result of playing a scenario once. */
export type Outcome = {
	readonly name: string;
	readonly firstPassAt: number;
	readonly trace: readonly Action[];
	readonly zones: readonly ZoneSample[];
	readonly snapshots: readonly Listed[];
	readonly watched: readonly Watched[];
};

/** Reads a line of the recorder, without the empty fields of API objects. */
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
