import {firstDifference} from '../../conformance/compareActions.ts';
import {deviceActionKey} from '../../conformance/device/checkVector.ts';
import type {DeviceVector} from '../../conformance/device/vector.ts';
import {lineOf} from './release.ts';
import {compareTraces, readTraceRun, readVectors, type Suite, type TraceRun} from './suite.ts';
import {compact} from './vectorText.ts';

/** The device taint eviction controller, on by default since v1.36. */
export function deviceSuite(version: string): Suite<DeviceVector, TraceRun> {
	const isRecordable = Number(lineOf(version).split('.')[1]) >= 36;
	return {
		folder: 'device',
		recorder: 'devices',
		runs: 30,
		vectors: isRecordable ? readVectors<DeviceVector>('device') : [],
		scenarioOf: ({vector, name}) => compact({...vector.deviceScenario, name}),
		readLine: readTraceRun,
		compare: ({vector}, {trace}) => compareTraces(vector.trace, trace, deviceActionKey(vector.order)),
		write: ({vector}, kubernetesVersion, runs) =>
			deviceVectorText(vector.deviceScenario, kubernetesVersion, runs),
	};
}

/** A new vector; undefined if the runs have too little in common. */
export function deviceVectorText(
	deviceScenario: DeviceVector['deviceScenario'],
	kubernetesVersion: string,
	runs: readonly TraceRun[],
): string | undefined {
	const [first] = runs;
	const order = (['decided', 'undecided'] as const).find((one) =>
		runs.every(({trace}) => !firstDifference(first?.trace ?? [], trace, deviceActionKey(one))),
	);
	if (!first || !order) return undefined;
	return `${compact({kubernetesVersion, order, deviceScenario, trace: first.trace})}\n`;
}
