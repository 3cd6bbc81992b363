import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import {restOfPass} from '../../../src/forecast/infer/passInProgress.ts';
import {findThrottledPass} from '../../../src/forecast/infer/throttledPasses.ts';
import {type SeenNode, seenAtOnce} from '../../support/evidence.ts';

const settings = settingsFor('v1.36.3');
const longReady = {status: 'True', since: -3600 * second} as const;

test('a pass in progress may have skipped the nodes whose grace period was not over when it began, and no others', () => {
	const now = 70 * second;
	const {evidence, affected} = seenAtOnce({n1: longReady, n2: longReady}, settings, now);
	const remaining = affected.nodes;
	expect(remaining.map(({node}) => node.name)).toEqual(['n1', 'n2']);
	const passedBy = (startedAt: Instant) =>
		[
			...restOfPass({startedAt, marked: [], remaining}, [], {evidence, affected, settings, now}).passedBy,
		].toSorted();
	// Until 55 s or a second more: 50 s of grace, and 5 s until a pass saw the renewal.
	expect(passedBy(54 * second)).toEqual(['n1', 'n2']);
	expect(passedBy(57 * second)).toEqual([]);
});

test('a pass is in progress where a node is Unknown and another should have been long ago', () => {
	const now = 75 * second;
	const found = (n1: SeenNode) => {
		const {evidence, affected} = seenAtOnce({n1, n2: longReady}, settings, now);
		return findThrottledPass({evidence, affected, settings, now});
	};
	expect(found({status: 'Unknown', since: 60 * second})).toMatchObject({
		startedAt: 60 * second,
		marked: [{node: {name: 'n1'}}],
		remaining: [{node: {name: 'n2'}}],
		marking: [[{name: 'n1'}]],
		isThrottled: true,
	});
	// Without a node that it set to Unknown, no pass can be detected.
	expect(found(longReady)).toBeUndefined();
});
