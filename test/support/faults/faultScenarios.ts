import {answerFaults} from './answerFaults.ts';
import {clockFaults} from './clockFaults.ts';
import type {FaultScenario} from './faultScenario.ts';
import {networkFaults} from './networkFaults.ts';
import {sightFaults} from './sightFaults.ts';

/** All faults that access to a cluster must survive, on the demo's server and on the real one. */
export const faultScenarios: readonly FaultScenario[] = [
	...networkFaults,
	...answerFaults,
	...clockFaults,
	...sightFaults,
];
