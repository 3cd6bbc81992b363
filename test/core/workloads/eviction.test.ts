import {expect, test} from 'vitest';
import type {Pod} from '../../../src/core/model/pod.ts';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import type {Budget} from '../../../src/core/model/workloads/related.ts';
import {drainFlags, evictionNow} from '../../../src/core/workloads/eviction.ts';
import {aPod} from '../../support/builders.ts';

const budget = (fields: Partial<Budget> = {}): Budget => ({
	...{namespace: 'shop', name: 'web', selector: {matchLabels: {}, matchExpressions: []}},
	...{currentHealthy: 3, desiredHealthy: 2, expectedPods: 3, disruptionsAllowed: 1},
	...fields,
});

test.for<{
	what: string;
	pod?: Partial<Pod>;
	budgets: readonly Budget[];
	release?: string;
	want: ReturnType<typeof evictionNow>;
}>([
	{what: 'no budget', budgets: [], want: 'Allowed'},
	{what: 'a budget with room', budgets: [budget()], want: 'Counted'},
	{what: 'a budget without', budgets: [budget({disruptionsAllowed: 0})], want: 'Refused'},
	{
		what: 'a budget that is not counted yet',
		budgets: [budget({disruptionsAllowed: undefined})],
		want: 'Refused',
	},
	{what: 'two budgets', budgets: [budget(), budget()], want: 'Error'},
	{
		what: 'two budgets, of a pod that has ended',
		pod: {phase: 'Failed'},
		budgets: [budget(), budget()],
		want: 'Allowed',
	},
	{
		what: 'no room, for one that is Pending',
		pod: {phase: 'Pending'},
		budgets: [budget({disruptionsAllowed: 0})],
		want: 'Allowed',
	},
	{
		what: 'no room, for one that is deleted',
		pod: {deletionTimestamp: 1},
		budgets: [budget({disruptionsAllowed: 0})],
		want: 'Allowed',
	},
	{
		what: 'no room but enough others, for one that is not ready',
		pod: {ready: 'False'},
		budgets: [budget({currentHealthy: 2, disruptionsAllowed: 0})],
		want: 'Allowed',
	},
	{
		what: 'too few others, for one that is not ready',
		pod: {ready: 'False'},
		budgets: [budget({currentHealthy: 1, disruptionsAllowed: 0})],
		want: 'Refused',
	},
	{
		what: 'AlwaysAllow, for one that is not ready',
		pod: {ready: 'False'},
		budgets: [budget({currentHealthy: 1, disruptionsAllowed: 0, allowsUnready: true})],
		want: 'Allowed',
	},
	{
		what: 'AlwaysAllow, for one that is ready',
		budgets: [budget({currentHealthy: 1, disruptionsAllowed: 0, allowsUnready: true})],
		want: 'Refused',
	},
	{
		what: 'none wanted, for one that is not ready',
		pod: {ready: 'False'},
		budgets: [budget({desiredHealthy: 0, disruptionsAllowed: 2})],
		want: 'Counted',
	},
	{
		what: 'no room but enough others, for one that is not ready, until v1.19',
		pod: {ready: 'False'},
		budgets: [budget({currentHealthy: 2, disruptionsAllowed: 0})],
		release: 'v1.19.16',
		want: 'Refused',
	},
	{
		what: 'no room, for one that is Pending, until v1.18',
		pod: {phase: 'Pending'},
		budgets: [budget({disruptionsAllowed: 0})],
		release: 'v1.18.20',
		want: 'Refused',
	},
	{
		what: 'room, for one that is deleted, until v1.18',
		pod: {deletionTimestamp: 1},
		budgets: [budget()],
		release: 'v1.18.20',
		want: 'Counted',
	},
	{
		what: 'no room, for one that has ended, in v1.16',
		pod: {phase: 'Failed'},
		budgets: [budget({disruptionsAllowed: 0})],
		release: 'v1.16.15',
		want: 'Allowed',
	},
])('the Eviction API, $what: $want', ({pod, budgets, want, release}) => {
	expect(evictionNow(aPod('web-0', pod), budgets, settingsFor(release))).toBe(want);
});

const owner = {kind: 'ReplicaSet', name: 'web', uid: 'web'};
const agent = {kind: 'DaemonSet', name: 'agent', uid: 'agent'};

test.for<{what: string; pod: Partial<Pod>; want: ReturnType<typeof drainFlags>}>([
	{what: 'an owned pod', pod: {owner}, want: []},
	{what: 'a bare pod', pod: {}, want: ['--force']},
	{what: 'one with an emptyDir', pod: {owner, hasEmptyDir: true}, want: ['--delete-emptydir-data']},
	{
		what: 'a bare one with an emptyDir',
		pod: {hasEmptyDir: true},
		want: ['--delete-emptydir-data', '--force'],
	},
	{what: 'a bare one that has ended', pod: {hasEmptyDir: true, phase: 'Succeeded'}, want: []},
	{what: 'one of a DaemonSet', pod: {owner: agent}, want: undefined},
	{what: 'one of a DaemonSet that has ended', pod: {owner: agent, phase: 'Failed'}, want: []},
	{
		what: "one of another API group's DaemonSet",
		pod: {owner: {...agent, kind: 'DaemonSet.apps.kruise.io'}},
		want: ['--force'],
	},
	{what: 'a static pod', pod: {isMirror: true}, want: undefined},
])('a drain of $what needs $want', ({pod, want}) => {
	expect(drainFlags(aPod('web-0', pod))).toEqual(want);
});
