import type {ControllerSettings} from './controllerSettings.ts';

/** A span of settings: each is known exactly, or only as a range. */
export type SettingsSpan = {
	/** The values with which everything comes earliest. */
	readonly earlyEnd: ControllerSettings;
	/** The likeliest values. */
	readonly usual: ControllerSettings;
	/** The values with which everything comes latest. */
	readonly lateEnd: ControllerSettings;
};

export const isExact = ({earlyEnd, lateEnd}: SettingsSpan) => earlyEnd === lateEnd;

/** Settings that are known exactly. */
export const exactly = (settings: ControllerSettings): SettingsSpan => ({
	earlyEnd: settings,
	usual: settings,
	lateEnd: settings,
});

/** Whether it is known at how many nodes down a zone changes its state, and whether it evicts then. */
export const areThresholdsKnown = ({earlyEnd, lateEnd}: SettingsSpan) =>
	(['unhealthyZoneThreshold', 'largeClusterSizeThreshold'] as const).every(
		(key) => earlyEnd[key] === lateEnd[key],
	);

/** The slowest client that is possible: until then its calls may wait. */
export const slowestClient = ({
	lateEnd: {kubeApiQps, kubeApiBurst},
}: SettingsSpan): Pick<ControllerSettings, 'kubeApiQps' | 'kubeApiBurst'> => ({
	kubeApiQps,
	kubeApiBurst,
});

/** Two taints tell rates apart that differ by more than this. */
export const rateMargin = 1.15;

/** Whether a rate is known, as well as taints can show one. */
export const isRateKnown = (
	{earlyEnd, lateEnd}: SettingsSpan,
	key: 'nodeEvictionRate' | 'secondaryNodeEvictionRate',
) => earlyEnd[key] <= rateMargin ** 2 * lateEnd[key];
