import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import {slackOf} from '../../../src/forecast/conclude/nodeTurn.ts';
import {findHiddenStates} from '../../../src/forecast/infer/hiddenStates.ts';
import {MarkingPasses} from '../../../src/forecast/infer/markingPasses.ts';
import {exactly} from '../../../src/forecast/infer/settingsSpan.ts';
import {findThrottledPass} from '../../../src/forecast/infer/throttledPasses.ts';
import {finish} from '../../../src/forecast/pausable.ts';
import type {Simulated} from '../../../src/forecast/simulate/simulated.ts';
import {statesFor} from '../../../src/forecast/whatif/whatIf.ts';
import {type SeenNode, seenAtOnce} from '../../support/evidence.ts';

const settings = settingsFor('v1.36.3');
const longReady = {status: 'True', since: -3600 * second} as const;

test('a pass in progress may have skipped the nodes whose grace period was not over when it began, and no others', () => {
	const now = 70 * second;
	const {evidence, affected} = seenAtOnce({n1: longReady, n2: longReady}, settings, now);
	const remaining = affected.nodes;
	expect(remaining.map(({node}) => node.name)).toEqual(['n1', 'n2']);
	const passes = new MarkingPasses({evidence, affected, settings, now});
	const passedBy = (startedAt: Instant) =>
		[...passes.restOf({startedAt, marked: [], remaining}).passedBy].toSorted();
	// Until 55 s or a second more: 50 s of grace, and 5 s until a pass saw the renewal.
	expect(passedBy(54 * second)).toEqual(['n1', 'n2']);
	expect(passedBy(57 * second)).toEqual([]);
});

test('a pass is in progress where a node is Unknown and another should have been long ago', () => {
	const now = 75 * second;
	const found = (n1: SeenNode) => {
		const {evidence, affected} = seenAtOnce({n1, n2: longReady}, settings, now);
		return findThrottledPass(new MarkingPasses({evidence, affected, settings, now}));
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

test('a pass is in progress also where changes were missed meanwhile: nodes still say when they turned Unknown', () => {
	const now = 75 * second;
	const {evidence, affected} = seenAtOnce(
		{n1: {status: 'Unknown', since: 60 * second}, n2: longReady},
		settings,
		now,
	);
	evidence.forgetHistory();
	expect(findThrottledPass(new MarkingPasses({evidence, affected, settings, now}))).toMatchObject({
		startedAt: 60 * second,
	});
});

test('where a pass may be over, unseen, the next one may begin a period sooner than is simulated, in a what-if as in a forecast', () => {
	const now = 75 * second;
	const marked = {
		status: 'Unknown',
		since: 50 * second,
		pod: {ready: 'False', readyChangedAt: 50 * second},
	} as const;
	const {evidence, affected} = seenAtOnce({n1: marked, n2: longReady}, settings, now);
	const span = exactly(settings);
	const {passes} = finish(findHiddenStates({evidence, affected, now}, span));
	const back = {type: 'nodeBack', node: 'n2', at: now + 10 * second} as const;
	const {states} = finish(statesFor([back], affected, {evidence, now} as Simulated, span));
	expect(passes).toMatchObject({throttledPass: {mayBeOver: true}, phaseSpacing: 5 * second});
	expect(states.passes.phaseSpacing).toBe(5 * second);
	expect(slackOf(passes)).toBe(5 * second);
});
