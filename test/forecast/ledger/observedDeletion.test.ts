import {expect, test} from 'vitest';
import {minute, second} from '../../../src/core/time/instant.ts';
import {pastEvictions} from '../../../src/forecast/ledger/observedDeletion.ts';
import {aPod} from '../../support/builders.ts';

const hour = 60 * minute;
const now = 10 * hour;
const evicted = (name: string, evictedAt: number, deletionTimestamp?: number) =>
	aPod(name, {nodeName: 'n1', evictedAt, ...(deletionTimestamp !== undefined && {deletionTimestamp})});

test('a terminating pod tells of its eviction if no event does', () => {
	const at = now - 5 * minute;
	const pod = evicted('web', at, at + 30 * second);
	const pods = [
		pod,
		evicted('tried', at),
		evicted('old', now - 2 * hour, now - 2 * hour + 30 * second),
		aPod('by-user', {deletionTimestamp: at}),
	];
	expect(pastEvictions([], pods, now)).toMatchObject([{name: 'web', node: 'n1', at, isEviction: true}]);
	const time = {at: at + 200, precision: 0};
	const event = {namespace: pod.namespace, name: 'web.1', reason: 'MarkingForDeletion' as const};
	const told = {...event, about: `${pod.namespace}/web`, first: time, last: time, createdAt: at};
	expect(pastEvictions([told], pods, now)).toMatchObject([{name: 'web', at: at + 200}]);
});
