import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import {findHiddenStates} from '../../../src/forecast/infer/hiddenStates.ts';
import {exactly} from '../../../src/forecast/infer/settingsSpan.ts';
import {finish} from '../../../src/forecast/pausable.ts';
import {seenAtOnce} from '../../support/evidence.ts';

const settings = settingsFor('v1.36.3');

/** Whether a pass may be at work at 63.2 s that turned n1 Unknown at 60 s, and marked its pod at another instant. */
function mayBeAtWork(markedAt: Instant): boolean {
	const now = 63.2 * second;
	const pod = {ready: 'False', readyChangedAt: markedAt} as const;
	const n1 = {status: 'Unknown', since: 60 * second, pod} as const;
	const {evidence, affected} = seenAtOnce({n1}, settings, now);
	const {hypotheses} = finish(findHiddenStates({evidence, affected, now}, exactly(settings)));
	expect(hypotheses.length).toBeGreaterThan(0);
	return hypotheses.some(({passQuantile}) => passQuantile === 'inProgress');
}

test('a pass may be at work as long as it has just marked a pod, however long ago it turned the node', () => {
	expect(mayBeAtWork(62 * second)).toBe(true);
	expect(mayBeAtWork(60 * second)).toBe(false);
});
