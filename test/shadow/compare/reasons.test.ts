import {expect, test} from 'vitest';
import {controllerManagerLease} from '../../../src/core/model/lease.ts';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {Blindness} from '../../../src/shadow/compare/blindness.ts';
import type {Case} from '../../../src/shadow/compare/case.ts';
import {ControllerWatch} from '../../../src/shadow/compare/controllerWatch.ts';
import {type Clues, explainCase} from '../../../src/shadow/compare/reasons.ts';
import {SeenWorld} from '../../../src/shadow/compare/seenWorld.ts';
import {WriteRhythm} from '../../../src/shadow/compare/writeRhythm.ts';
import {ClusterStore} from '../../../src/store/clusterStore.ts';
import {aPod} from '../../support/builders.ts';

/** Clues of which none explains anything, but that the controllers hold their lease since 0, and renewed it at 99 s. */
function someClues(): Clues {
	const blindness = new Blindness();
	blindness.begin(-1000);
	const controllers = new ControllerWatch();
	controllers.observe(lease({renewTime: 97_000}), 97_000);
	controllers.observe(lease({renewTime: 99_000}), 99_000);
	const settingClues = () => ({
		...{settings: defaultSettings, learned: {}, renewedAt: undefined, zoneTaintedAt: undefined},
		zone: {notReady: 1, size: 10},
	});
	return {
		...{blindness, controllers, world: new SeenWorld(new ClusterStore()), writes: new WriteRhythm()},
		...{version: 'v1.36.3', settingClues},
	};
}

const lease = (fields: object) => ({
	...controllerManagerLease,
	...{renewTime: 0, acquireTime: 0, holderIdentity: 'one', leaseDuration: 15_000},
	...fields,
});

/** A pod that was marked at 100 s, and is there 12 s later. */
const marked: Case = {
	...{id: 'a', kind: 'Missing', action: 'DeletePod', node: 'n1', zone: 'eu/a', at: null, since: 90_000},
	object: {kind: 'Pod', namespace: 'shop', name: 'web', uid: 'u1'},
	expected: {earliest: 99_000, expected: 99_500, latest: 100_000},
	...{stateSince: 50_000, now: 112_000, pod: aPod('web', {evictedAt: 100_000})},
};

test('a pod that was marked and stays was denied its deletion, where controllers and watch went on', () => {
	const clues = someClues();
	clues.controllers.observe(lease({renewTime: 111_000}), 111_000);
	expect(explainCase(marked, clues).reason).toBe('DeletionDenied');
});

test('controllers that ended between mark and deletion were not denied it', () => {
	const clues = someClues();
	clues.controllers.look(116_000);
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
	const again = {expected: {earliest: 149_000, expected: 149_500, latest: 150_000}, now: 162_000};
	expect(explainCase({...marked, ...again}, clues).reason).toBe('DeletionDenied');
});

test('what was not seen after the mark may have been the deletion', () => {
	const clues = someClues();
	clues.controllers.observe(lease({renewTime: 111_000}), 111_000);
	clues.blindness.provenance({type: 'historyLost', since: 101_000}, 110_000);
	expect(explainCase(marked, clues).reason).toBe('OwnBlindness');
});

test('the newest writer of taints is who gave one, unless others may have written unseen before', () => {
	const tainted: Case = {
		...{id: 'b', kind: 'Unexpected', action: 'TaintNode', node: 'n1', zone: 'eu/a', expected: null},
		object: {kind: 'Node', name: 'n1', uid: 'u2'},
		...{at: {lo: 101_000, hi: 110_000}, since: 90_000, stateSince: 50_000, now: 113_000, writer: 'kubectl'},
	};
	const clues = someClues();
	expect(explainCase(tainted, clues).reason).toBe('ForeignTaint');
	clues.blindness.provenance({type: 'historyLost', since: 101_000}, 110_000);
	expect(explainCase(tainted, clues).reason).toBe('OwnBlindness');
});
