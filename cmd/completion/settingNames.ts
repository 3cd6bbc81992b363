import {unseenControlPlane} from '../../src/core/model/controlPlane.ts';
import {nameOf} from '../../src/core/model/objectName.ts';
import {otherSettings} from '../../src/forecast/settings/otherSettings.ts';
import {resolveSettings} from '../../src/forecast/settings/resolve.ts';
import {settingsEvidence} from '../sources/settingsInForce.ts';

/** The names that `settings` takes; the same for every cluster. */
export function settingNames(): readonly string[] {
	const options = {kubernetesVersion: undefined, settings: {}, notes: []};
	const {list} = resolveSettings(settingsEvidence(options, undefined, unseenControlPlane('')));
	const others = Object.values(otherSettings([], unseenControlPlane('')));
	return [...list, ...others].map(nameOf);
}
