import {firstDifference} from '../compareActions.ts';
import type {Action} from '../vector.ts';
import {playDevices} from './playScenario.ts';
import type {DeviceVector} from './vector.ts';

/** Which actions are equivalent: with throttling it is random whose pod is first, so pods are ignored. */
export const deviceActionKey =
	(order: DeviceVector['order']) =>
	({kind, pod = ''}: Action): string =>
		order === 'decided' ? `${kind} ${pod}` : kind;

/** Plays a golden trace's scenario through the port; returns the first difference, or undefined. */
export const checkDeviceVector = ({deviceScenario, order, trace}: DeviceVector): string | undefined =>
	firstDifference(trace, playDevices(deviceScenario), deviceActionKey(order), tolerance);

/** In milliseconds: it is random whether a call or an event gets the next token, and there is one each 50 ms. */
const tolerance = 110;
