import {type ControllerSettings, settingsFor} from '../src/core/model/controllerSettings.ts';
import type {ControllerOptions} from './controllerOptions.ts';

/** The settings in force: a flag wins over the defaults of the version, and a version given over the server's own. */
export const settingsOf = (
	{kubernetesVersion, settings}: ControllerOptions,
	serverVersion: string | undefined,
): ControllerSettings => ({...settingsFor(kubernetesVersion ?? serverVersion), ...settings});
