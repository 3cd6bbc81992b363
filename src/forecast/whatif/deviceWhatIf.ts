import {podKey} from '../../core/model/pod.ts';
import type {PodDeviceEviction} from '../conclude/deviceEvictions.ts';
import {withDeviceEvictions} from '../conclude/deviceVerdict.ts';
import {type Ending, firstAtTop} from '../conclude/endings.ts';
import type {Simulated} from '../simulate/simulated.ts';
import {effectOf} from './pressedWhatIf.ts';
import type {PodChange, WhatIf} from './whatIf.ts';

/** What changes would do where devices evict as well: on either side a pod goes by what comes first. */
export function whatIfWithDevices(
	whatIf: WhatIf,
	evictions: ReadonlyMap<string, PodDeviceEviction>,
	situation: Simulated,
): WhatIf {
	if (evictions.size === 0) return whatIf;
	const told = (side: 'before' | 'after') =>
		withDeviceEvictions(
			whatIf.pods.map((pod) => pod[side]),
			evictions,
			situation,
		);
	const [before, after] = [told('before'), told('after')];
	const pods = whatIf.pods.map((pod, index): PodChange => {
		const one = {...pod, before: before[index] ?? pod.before, after: after[index] ?? pod.after};
		const eviction = evictions.get(podKey(pod.before));
		if (!eviction) return pod;
		const kind = {cause: 'DeviceTaint', asked: null, isForced: false, needs: null} as const;
		const ending: Ending = {...kind, at: eviction.range, isCertain: true};
		const endings = {
			before: firstAtTop([...pod.endings.before, ending]),
			after: firstAtTop([...pod.endings.after, ending]),
		};
		return {...one, ...effectOf(one), endings};
	});
	return {...whatIf, pods};
}
