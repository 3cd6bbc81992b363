import {expect, test} from 'vitest';
import {rescueCommand} from '../../../src/print/whatif/rescueCommand.ts';
import {aPod} from '../../support/builders.ts';

test('the patch of tolerations applies to a pod that has none: only add makes the list where it is missing', () => {
	const pod = aPod('web', {tolerations: []});
	const command = rescueCommand(
		{
			kind: 'Tolerate',
			change: {
				...{at: 0, type: 'tolerations', namespace: 'default', name: 'web'},
				tolerations: [{key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute'}],
			},
		} as unknown as Parameters<typeof rescueCommand>[0],
		pod,
	);
	expect(command).toContain('[{"op":"add","path":"/spec/tolerations","value":[{"key":');
});
