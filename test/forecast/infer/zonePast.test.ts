import {expect, test} from 'vitest';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {second} from '../../../src/core/time/instant.ts';
import {zonesAt} from '../../../src/forecast/infer/zonePast.ts';
import {findAffectedNodes} from '../../../src/forecast/observe/affectedNodes.ts';
import {aCondition, aLease, aNode} from '../../support/builders.ts';
import {fedEvidence} from '../../support/evidence.ts';

test('a pass counts no node that was made later', () => {
	const [madeAt, now] = [60 * second, 63 * second];
	const {evidence, list} = fedEvidence(defaultSettings);
	const young = {createdAt: madeAt, conditions: [aCondition('Ready', 'True', {lastTransitionTime: madeAt})]};
	list({
		...{observedAt: now, source: 'cluster', problems: []},
		...{nodes: [aNode('n1'), aNode('n2', young)], leases: [aLease('n1', now), aLease('n2', now)], pods: []},
	});
	const affected = findAffectedNodes(evidence, now, defaultSettings);
	const countsAt = (pass: number) =>
		[...zonesAt(pass, affected, defaultSettings).zones.values()].map(({count}) => count);
	expect(countsAt(madeAt - second)).toEqual([{size: 1, notReady: 0}]);
	expect(countsAt(now)).toEqual([{size: 2, notReady: 0}]);
});
