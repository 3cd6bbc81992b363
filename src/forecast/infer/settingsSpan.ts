import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
/** Settings that are not known to the point: those with which all comes earliest, and those with which it comes latest. */
export type SettingsSpan = {readonly early: ControllerSettings; readonly late: ControllerSettings};

/** Settings that are known to the point. */
export const exactly = (settings: ControllerSettings): SettingsSpan => ({early: settings, late: settings});
