import type {Signal} from '../../core/nodepressure/signal.ts';
import type {PressureForecast} from './pressureForecast.ts';

/** What is supposed to be left of a signal of a node. */
export type SupposedPressure = {
	readonly node: string;
	readonly signal: Signal;
	/** Bytes, inodes or processes. */
	readonly left: bigint;
};

/** What pressure does to a node as it is, and if other amounts were left from now on. */
export type PressureWhatIf = {
	readonly supposed: readonly SupposedPressure[];
	readonly before: PressureForecast;
	readonly after: PressureForecast;
};
