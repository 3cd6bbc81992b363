import {unseenControlPlane} from '../../src/core/model/controlPlane.ts';
import {nameOf} from '../../src/core/model/objectName.ts';
import {otherSettings} from '../../src/forecast/settings/otherSettings.ts';
import {resolveSettings} from '../../src/forecast/settings/resolve.ts';

/** The names that `settings` takes; the same for every cluster. */
export function settingNames(): readonly string[] {
	const controlPlane = unseenControlPlane('');
	const nothing = {versionFlag: undefined, serverVersion: undefined, flags: {}};
	const {list} = resolveSettings({...nothing, controlPlane});
	const others = Object.values(otherSettings([], controlPlane));
	return [...list, ...others].map(nameOf);
}
