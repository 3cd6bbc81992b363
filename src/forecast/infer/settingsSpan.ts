import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
/** Settings that are known only as ranges: the values with which everything comes earliest, and those with which it comes latest. */
export type SettingsSpan = {readonly early: ControllerSettings; readonly late: ControllerSettings};

/** Settings that are known exactly. */
export const exactly = (settings: ControllerSettings): SettingsSpan => ({early: settings, late: settings});
