import {firstDifference} from '../compareActions.ts';
import type {Action} from '../vector.ts';
import {playDevices} from './playScenario.ts';
import type {DeviceVector} from './vector.ts';

/** What makes two actions alike: where a throttle decides by chance whose pod goes first, any pod's. */
export const deviceActionKey =
	(order: DeviceVector['order']) =>
	({kind, pod = ''}: Action): string =>
		order === 'decided' ? `${kind} ${pod}` : kind;

/** Plays a golden trace's scenario through the port; returns the first difference, or undefined. */
export const checkDeviceVector = ({deviceScenario, order, trace}: DeviceVector): string | undefined =>
	firstDifference(trace, playDevices(deviceScenario), deviceActionKey(order), tolerance);

/** In milliseconds: whether a call or an event gets the next token, one each 50 ms, is chance. */
const tolerance = 110;
