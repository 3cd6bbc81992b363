import type {ControllerSettings} from '../../core/model/controllerSettings.ts';

/** A span of settings: each is known exactly, or only as a range. */
export type SettingsSpan = {
	/** The values with which everything comes earliest. */
	readonly earlyEnd: ControllerSettings;
	/** The likeliest values. */
	readonly usual: ControllerSettings;
	/** The values with which everything comes latest. */
	readonly lateEnd: ControllerSettings;
};

export const isExact = ({earlyEnd, lateEnd}: SettingsSpan): boolean => earlyEnd === lateEnd;

/** Settings that are known exactly. */
export const exactly = (settings: ControllerSettings): SettingsSpan => ({
	earlyEnd: settings,
	usual: settings,
	lateEnd: settings,
});
