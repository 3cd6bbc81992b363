import {isExact, type SettingsSpan} from '../../core/model/settingsSpan.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {Hypothesis} from '../infer/hypothesis.ts';
import {type Interval, middle} from '../observe/interval.ts';

/** An event in one run: it happens within the interval, or never if that has no end. */
export type Occurrence = Interval &
	Readonly<{
		/** By when it happens in nearly all cases, if it does; absent if the end of the interval tells that. */
		until?: Instant;
		/** How likely it happens at all in the run; 1 if absent. */
		chance?: number;
		/** At how many instants it may come, evenly spread from one end to the other; any in between if absent. */
		places?: number;
		/** Where it mostly happens, as what would move it is rare; absent if it is as likely anywhere in the interval. */
		usual?: Interval;
	}>;

/** What a run stands for among all hidden states. */
export type Draw = Readonly<{
	/** Runs with the same name differ only in the unknowns beside the instant of the next pass. */
	phase: string;
	/** The position of these unknowns in their ranges. */
	quantile: number;
	/** How likely its instant of the next pass is, in proportion to the others. */
	weight: number;
	/** Whether the unknowns include settings. */
	isOfSettings: boolean;
}>;

/** A pass that is due just now is rarely at work still; one that is seen often is. */
const inProgressWeight = 0.5;

/** What the run of a hypothesis stands for. The ends of the range of the next pass have half the room of instants between. */
export function drawOf({passQuantile, quantile, nodeMonitorPeriod}: Hypothesis, span: SettingsSpan): Draw {
	const isEnd = passQuantile === 0 || passQuantile === 1;
	const isOfSettings = !isExact(span);
	return {
		phase: isOfSettings && quantile !== middle ? '' : `${passQuantile} ${nodeMonitorPeriod}`,
		quantile,
		weight: passQuantile === 'inProgress' ? inProgressWeight : isEnd ? 0.5 : 1,
		isOfSettings,
	};
}
