import {expect, test} from 'vitest';
import {second} from '../../../src/core/time/instant.ts';
import type {Situation} from '../../../src/forecast/explain/situation.ts';
import {controllerStart} from '../../../src/forecast/explain/steps/nodeSteps.ts';
import type {NodeEvidence} from '../../../src/forecast/observe/nodes/nodeEvidence.ts';

const at = (seconds: number) => ({lo: seconds * second, hi: seconds * second});
const takenOver = {
	leader: {type: 'running', since: 30 * second, holder: 'cp1'},
	evidence: {controllers: {}},
} as unknown as Situation;

test.for([
	{
		name: 'the last renewal',
		one: {renewedAt: at(10), heartbeatAt: at(50), readyChangedAt: at(60)},
		starts: true,
	},
	{
		name: 'the last renewal',
		one: {renewedAt: at(40), heartbeatAt: at(10), readyChangedAt: at(10)},
		starts: false,
	},
	{
		name: 'the last status, without a lease',
		one: {heartbeatAt: at(10), readyChangedAt: at(60)},
		starts: true,
	},
	{name: 'the last change, without both', one: {readyChangedAt: at(10)}, starts: true},
	{name: 'nothing', one: {}, starts: false},
])('a takeover is told of a node where it came after $name: $starts', ({one, starts}) => {
	const step = controllerStart(one as NodeEvidence, takenOver);
	expect(step?.at).toBe(starts ? 30 * second : undefined);
});
