import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import {findHiddenStates} from '../../../src/forecast/infer/hiddenStates.ts';
import {exactly} from '../../../src/forecast/infer/settingsSpan.ts';
import {findAffectedNodes} from '../../../src/forecast/observe/affectedNodes.ts';
import {finish} from '../../../src/forecast/pausable.ts';
import {aCondition, aLease, aNode, aPod} from '../../support/builders.ts';
import {fedEvidence, seenAtOnce} from '../../support/evidence.ts';

const settings = settingsFor('v1.36.3');

/** Whether a pass that set n1 to Unknown at 60 s and marked its pod at another instant may still run at 63.2 s. */
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

/** How many start times of the next pass are tried 100 s after a node became Unknown, whose taint came `after` seconds later. */
function passesTried(taint: string, after: number): number {
	const now = 160 * second;
	const {evidence, list} = fedEvidence(settings);
	const timeAdded = (60 + after) * second;
	const conditions = [aCondition('Ready', 'Unknown', {lastTransitionTime: 60 * second})];
	const taints = [{key: `node.kubernetes.io/${taint}`, value: '', effect: 'NoExecute' as const, timeAdded}];
	list({
		...{observedAt: now, source: 'cluster', problems: []},
		...{nodes: [aNode('n1', {conditions, taints})], leases: [aLease('n1', 0)], pods: []},
	});
	const affected = findAffectedNodes(evidence, now, settings);
	const {hypotheses} = finish(findHiddenStates({evidence, affected, now}, exactly(settings)));
	return new Set(hypotheses.map(({passQuantile}) => passQuantile)).size;
}

test('once passes have done all to the nodes that are down, when the next one begins makes no difference', () => {
	expect(passesTried('unreachable', 0.1)).toBe(1);
	// It was just tainted, or its taint will be swapped.
	expect(passesTried('unreachable', 90)).toBeGreaterThan(2);
	expect(passesTried('not-ready', 0.1)).toBeGreaterThan(2);
});

test('if a long pass cannot have ended at once, it is tried to have ended in each period until it must have', () => {
	const throttled = {...settings, kubeApiQps: 5, kubeApiBurst: 8};
	const now = 133 * second;
	const {evidence, list} = fedEvidence(throttled);
	const down = Array.from({length: 16}, (_, index) =>
		aNode(`down-${index}`, {conditions: [aCondition('Ready', 'Unknown', {lastTransitionTime: 60 * second})]}),
	);
	// The pass after the long one notices this status, and the one after that takes the lease for new.
	const posted = {lastTransitionTime: 0, lastHeartbeatTime: 61 * second};
	const nodes = [...down, aNode('late', {conditions: [aCondition('Ready', 'True', posted)]})];
	const leases = nodes.map(({name}) => aLease(name, name === 'late' ? 55 * second : 0));
	const pods = down.flatMap(({name}) =>
		Array.from({length: 4}, (_, index) =>
			aPod(`${name}-${index}`, {nodeName: name, ready: 'False', readyChangedAt: 60 * second}),
		),
	);
	list({observedAt: now, source: 'cluster', problems: [], nodes, leases, pods});
	const affected = findAffectedNodes(evidence, now, throttled);
	const {hypotheses} = finish(findHiddenStates({evidence, affected, now}, exactly(throttled)));
	const ends = hypotheses.flatMap(({schedule: {stretchedPasses = []}}) =>
		stretchedPasses.map(({until}) => until),
	);
	expect(Math.max(...ends) - Math.min(...ends)).toBeGreaterThan(throttled.nodeMonitorPeriod);
});
