import {isDeepStrictEqual} from 'node:util';
import {firstDifference} from '../../conformance/compareActions.ts';
import {deviceActionKey} from '../../conformance/device/checkVector.ts';
import type {DeviceVector} from '../../conformance/device/vector.ts';
import type {Action} from '../../conformance/vector.ts';
import {lineOf} from './release.ts';
import {readVectors, type Suite} from './suite.ts';
import {compact} from './vectorText.ts';

type DeviceRun = {readonly name: string; readonly trace: readonly Action[]};

/** The device taint eviction controller, on by default since v1.36. */
export function deviceSuite(version: string): Suite<DeviceVector, DeviceRun> {
	const isRecordable = Number(lineOf(version).split('.')[1]) >= 36;
	return {
		folder: 'device',
		recorder: 'devices',
		runs: 30,
		vectors: isRecordable ? readVectors<DeviceVector>('device') : [],
		scenarioOf: ({vector, name}) => compact({...vector.deviceScenario, name}),
		readLine: (line) => {
			// Go writes an empty list as null.
			const {name, trace} = JSON.parse(line) as DeviceRun;
			return {name, result: {name, trace: trace ?? []}};
		},
		compare: ({vector}, {trace}) => {
			if (isDeepStrictEqual(vector.trace, trace)) return {is: 'same'};
			const why = firstDifference(vector.trace, trace, deviceActionKey(vector.order));
			return why === undefined ? {is: 'alike'} : {is: 'different', why};
		},
		write: ({vector}, kubernetesVersion, runs) =>
			deviceVectorText(vector.deviceScenario, kubernetesVersion, runs),
	};
}

/** A new vector; undefined if the runs have too little in common. */
export function deviceVectorText(
	deviceScenario: DeviceVector['deviceScenario'],
	kubernetesVersion: string,
	runs: readonly DeviceRun[],
): string | undefined {
	const [first] = runs;
	const order = (['decided', 'undecided'] as const).find((one) =>
		runs.every(({trace}) => !firstDifference(first?.trace ?? [], trace, deviceActionKey(one))),
	);
	if (!first || !order) return undefined;
	return `${compact({kubernetesVersion, order, deviceScenario, trace: first.trace})}\n`;
}
