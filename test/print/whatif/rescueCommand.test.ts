import {expect, test} from 'vitest';
import {podKey} from '../../../src/core/model/pod.ts';
import type {Remedy} from '../../../src/forecast/whatif/remedy.ts';
import {rescueCommand} from '../../../src/print/whatif/rescueCommand.ts';
import {aPod} from '../../support/builders.ts';

test('the patch of tolerations applies to a pod that has none: only add makes the list where it is missing', () => {
	const pod = aPod('web', {tolerations: []});
	const tolerations = [
		{key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', value: ''},
	] as const;
	const remedy: Remedy = {
		...{kind: 'Tolerate', until: undefined, effect: 'Saves', eviction: null},
		change: {type: 'tolerations', pod: podKey(pod), tolerations, at: 0},
	};
	const command = rescueCommand(remedy, pod);
	expect(command).toContain('[{"op":"add","path":"/spec/tolerations","value":[{"key":');
});
