import {unseenControlPlane} from '../../src/core/model/controlPlane.ts';
import {otherSettings} from '../../src/forecast/settings/otherSettings.ts';
import {inForce} from '../sources/settingsInForce.ts';

/** The names that `settings` takes; the same for every cluster. */
export function settingNames(): readonly string[] {
	const options = {kubernetesVersion: undefined, settings: {}, notes: []};
	const {resolved} = inForce(options, undefined, unseenControlPlane(''));
	const others = Object.values(otherSettings([], unseenControlPlane('')));
	return [...resolved.list, ...others].map(({name}) => name);
}
