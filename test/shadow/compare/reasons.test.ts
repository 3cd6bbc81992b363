import {expect, test} from 'vitest';
import {controllerManagerLease} from '../../../src/core/model/lease.ts';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {Range} from '../../../src/forecast/range.ts';
import {BehaviourClues} from '../../../src/shadow/compare/behaviourClues.ts';
import {ClusterHistory} from '../../../src/shadow/compare/clusterHistory.ts';
import {ControllerWatch} from '../../../src/shadow/compare/controllerWatch.ts';
import {ControllerWrites} from '../../../src/shadow/compare/controllerWrites.ts';
import {ObservationGaps} from '../../../src/shadow/compare/observationGaps.ts';
import {type DivergenceContext, explainCase} from '../../../src/shadow/compare/reasons.ts';
import type {UnexplainedAction} from '../../../src/shadow/compare/unexplainedAction.ts';
import {ClusterStore} from '../../../src/store/clusterStore.ts';
import {aPod} from '../../support/builders.ts';

/** A context that explains nothing; the controllers have held their lease since 0, and renewed it at 99 s. */
function someClues(): DivergenceContext {
	const gaps = new ObservationGaps();
	gaps.begin(-1000);
	const controllers = new ControllerWatch();
	controllers.observe(lease({renewTime: 97_000}), 97_000);
	controllers.observe(lease({renewTime: 99_000}), 99_000);
	const settingClues = () => ({
		...{settings: defaultSettings, learned: {}, renewedAt: undefined, zoneTaintedAt: undefined},
		zone: {notReady: 1, size: 10},
	});
	return {
		...{gaps, controllers, world: new ClusterHistory(new ClusterStore()), writes: new ControllerWrites()},
		...{version: 'v1.36.3', settingClues},
	};
}

const lease = (fields: object) => ({
	...controllerManagerLease,
	...{renewTime: 0, acquireTime: 0, holderIdentity: 'one', leaseDuration: 15_000},
	...fields,
});

/** A pod that was marked at 100 s, and still exists 12 s later. */
const marked: UnexplainedAction = {
	...{id: 'a', kind: 'Missing', action: 'DeletePod', node: 'n1', zone: 'eu/a', at: null, since: 90_000},
	object: {kind: 'Pod', namespace: 'shop', name: 'web', uid: 'u1'},
	expected: new Range(99_000, 99_500, 100_000),
	...{stateSince: 50_000, now: 112_000, pod: aPod('web', {evictedAt: 100_000})},
};

test('a pod that was marked and stays was denied its deletion, where controllers and watch went on', () => {
	const clues = someClues();
	clues.controllers.observe(lease({renewTime: 111_000}), 111_000);
	expect(explainCase(marked, clues).reason).toBe('DeletionDenied');
});

test('controllers that ended between mark and deletion were not denied it', () => {
	const clues = someClues();
	clues.controllers.checkLease(116_000);
	expect(explainCase({...marked, now: 116_000}, clues).reason).toBe('ControllerDown');
});

test('nor were those whom others followed', () => {
	const clues = someClues();
	clues.controllers.observe(
		lease({holderIdentity: 'two', acquireTime: 105_000, renewTime: 111_000}),
		111_000,
	);
	expect(explainCase(marked, clues).reason).toBe('ControllerRestarted');
});

test('who takes over when the tries are over is denied the same', () => {
	const clues = someClues();
	for (const at of [105_000, 111_000]) clues.controllers.observe(lease({renewTime: at}), at);
	const others = {holderIdentity: 'two', acquireTime: 130_000};
	for (const at of [130_000, 160_000]) clues.controllers.observe(lease({...others, renewTime: at}), at);
	const again = {expected: new Range(149_000, 149_500, 150_000), now: 162_000};
	expect(explainCase({...marked, ...again}, clues).reason).toBe('DeletionDenied');
});

test('what was not seen after the mark may have been the deletion', () => {
	const clues = someClues();
	clues.controllers.observe(lease({renewTime: 111_000}), 111_000);
	clues.gaps.take({type: 'historyLost', since: 101_000}, 110_000);
	expect(explainCase(marked, clues).reason).toBe('ObservationGap');
});

test('the newest writer of taints is who gave one, unless others may have written unseen before', () => {
	const tainted: UnexplainedAction = {
		...{id: 'b', kind: 'Unexpected', action: 'TaintNode', node: 'n1', zone: 'eu/a', expected: null},
		object: {kind: 'Node', name: 'n1', uid: 'u2'},
		...{at: {lo: 101_000, hi: 110_000}, since: 90_000, stateSince: 50_000, now: 113_000, writer: 'kubectl'},
	};
	const clues = someClues();
	expect(explainCase(tainted, clues).reason).toBe('ForeignTaint');
	clues.gaps.take({type: 'historyLost', since: 101_000}, 110_000);
	expect(explainCase(tainted, clues).reason).toBe('ObservationGap');
});

/** A node that should have become Unknown between 100 and 105 s. */
const notUnknown: UnexplainedAction = {
	...{id: 'c', kind: 'Missing', action: 'SetUnknown', node: 'n1', zone: 'eu/a', at: null, since: 60_000},
	object: {kind: 'Node', name: 'n1', uid: 'u2'},
	expected: new Range(100_000, 102_000, 105_000),
	...{stateSince: 50_000, now: 112_000},
};

test('what came late by no more than a pause of the controllers is explained by it', () => {
	const clues = someClues();
	for (const at of [108_000, 110_000]) clues.controllers.observe(lease({renewTime: at}), at);
	const {reason, because} = explainCase(notUnknown, clues);
	expect(reason).toBe('ControllerDown');
	expect(because[0]).toContain('did not renew its lease for 9s');
	const later = {...notUnknown, kind: 'Late', at: {lo: 129_000, hi: 129_100}, now: 132_000} as const;
	expect(explainCase(later, clues).reason).not.toBe('ControllerDown');
});

test('that nobody ran the controllers explains what is missing, though watches were lost meanwhile', () => {
	const clues = someClues();
	clues.controllers.checkLease(125_000);
	clues.gaps.take({type: 'watchLost', since: 118_000}, 119_000);
	clues.gaps.take({type: 'watchLost', since: undefined}, 121_000);
	const later = {...notUnknown, expected: new Range(110_000, 112_000, 115_000)};
	expect(explainCase({...later, now: 126_000}, clues).reason).toBe('ControllerDown');
	const before = {...notUnknown, expected: new Range(95_000, 97_000, 115_000)};
	expect(explainCase({...before, now: 126_000}, clues).reason).toBe('ObservationGap');
});

test('a setting that was adopted since does not hide that the prediction was made with another', () => {
	const world = new ClusterHistory(new ClusterStore());
	world.keepLease({namespace: 'kube-node-lease', name: 'n1', renewTime: 0}, 0);
	const adopted = {...defaultSettings, nodeMonitorGracePeriod: 30_000};
	const behaviour = new BehaviourClues(world, {settings: adopted});
	const early: UnexplainedAction = {
		...{...notUnknown, kind: 'Early', at: {lo: 34_300, hi: 34_400}, now: 38_000, since: -500},
		expected: new Range(50_000, 52_000, 56_000),
	};
	const clues = {...someClues(), settingClues: (one: UnexplainedAction) => behaviour.cluesOf(one)};
	expect(explainCase(early, clues).reason).toBe('Unexplained');
	expect(explainCase({...early, settings: defaultSettings}, clues).reason).toBe('OtherSetting');
});
