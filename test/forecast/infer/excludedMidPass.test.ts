import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {countsOf} from '../../../src/forecast/infer/adoptedPass.ts';
import {aCondition, aNode, inZone, keyOfZone} from '../../support/builders.ts';

const zone = keyOfZone('a');
const silent = (name: string, labels = {}) => ({
	node: aNode(name, {labels: {...inZone('a'), ...labels}, conditions: [aCondition('Ready', 'Unknown')]}),
	version: 1,
});
const excluded = {'node.kubernetes.io/exclude-disruption': 'true'};

test('a pass at work has not counted the nodes that are left out of disruption checks', () => {
	const others = new Map([[zone, {size: 3, notReady: 0}]]);
	const done = [silent('n1', excluded), silent('n2', excluded), silent('n3')];
	expect(countsOf(done, {others}, settingsFor('v1.36.3')).get(zone)).toEqual({size: 4, notReady: 1});
});
