import type {ControlPlane} from '../../src/core/model/controlPlane.ts';
import type {Forecaster} from '../../src/forecast/forecaster.ts';
import {otherSettings} from '../../src/forecast/settings/otherSettings.ts';
import type {Setting} from '../../src/forecast/settings/setting.ts';

/** All settings that the command `settings` lists; the same array until one changes. */
export function allSettings(forecaster: Forecaster, controlPlane: ControlPlane): () => readonly Setting[] {
	let known: {
		readonly list: readonly Setting[];
		readonly hasLeases: boolean;
		readonly all: readonly Setting[];
	};
	return () => {
		const {settingList: list, store} = forecaster;
		const hasLeases = store.leases.size > 0;
		if (known?.list !== list || known.hasLeases !== hasLeases) {
			const others = otherSettings([...store.leases.values()], controlPlane);
			known = {list, hasLeases, all: [...list, ...Object.values(others)]};
		}
		return known.all;
	};
}
