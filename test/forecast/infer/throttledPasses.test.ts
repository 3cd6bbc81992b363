import {expect, test} from 'vitest';
import type {ControllerSettings} from '../../../src/core/model/controllerSettings.ts';
import type {Pod} from '../../../src/core/model/pod.ts';
import {defaultSettings, settingsFor} from '../../../src/core/model/versionProfile.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import {ThrottledPasses} from '../../../src/forecast/infer/throttledPasses.ts';
import {observedOf} from '../../../src/forecast/observe/observed.ts';
import {ObservedTime} from '../../../src/forecast/observe/observedTime.ts';
import {withMarks} from '../../../src/forecast/observe/passes/passCalls.ts';
import {aPod} from '../../support/builders.ts';
import {type SeenNode, seenAtOnce} from '../../support/evidence.ts';

const turnedAt = 60 * second;

/** The last throttled pass, if n1 became Unknown at 60 s. */
function lateAt(now: Instant, pod: SeenNode['pod'], fields: Partial<ControllerSettings> = {}) {
	const settings = {...settingsFor('v1.36.3'), ...fields};
	const seen = seenAtOnce({n1: {status: 'Unknown', since: turnedAt, pod}}, settings, now);
	const observed = observedOf({...seen, settings, now, kubernetesVersion: undefined}, new ObservedTime());
	return new ThrottledPasses(observed, undefined).latest;
}

test('a pass that has a pod to mark may go on for as long as the client takes for that, and one period', () => {
	expect(lateAt(62 * second, {ready: 'True'})).toMatchObject({
		marked: [{node: {name: 'n1'}}],
		startedAt: turnedAt,
		// Four calls for the pod, at 20 per second.
		endsBy: 62 * second + 5 * second + second / 5,
	});
});

test('without a limit of the client no pass is late', () => {
	expect(lateAt(62 * second, {ready: 'True'}, {kubeApiQps: 0})).toBeUndefined();
});

const marked = {ready: 'False', readyChangedAt: 61 * second, markedNotReadyAt: 61 * second} as const;

test('a pass that has marked all pods ends soon after its last write', () => {
	expect(lateAt(62 * second, marked)).toMatchObject({endsBy: 62.5 * second});
	expect(lateAt(63 * second, marked)).toBeUndefined();
});

/** What is seen of the pass that turned n1 Unknown, by a pod of it. */
function seenWith(pod: Partial<Pod>) {
	const at = {lo: turnedAt, hi: turnedAt};
	const {evidence} = seenAtOnce({n1: {status: 'Unknown', since: turnedAt}}, defaultSettings, 82 * second);
	const seen = {at, calls: 7, source: ''};
	return withMarks(seen, evidence.nodes.get('n1'), [aPod('web', pod)], defaultSettings);
}

test('a pass marks a terminating pod like any other', () => {
	const pod = {ready: 'True'} as const;
	expect(seenWith({...pod, deletionTimestamp: 70 * second}).callsUnseen).toBe(seenWith(pod).callsUnseen);
});

test('a pod that came to a node later is not marked by the pass that turned this Unknown', () => {
	const late = {...marked, readyChangedAt: 80 * second, markedNotReadyAt: 80 * second};
	expect(seenWith({...late, createdAt: 80 * second})).toMatchObject({wroteUntil: turnedAt});
	expect(seenWith(late)).toMatchObject({wroteUntil: 80 * second});
});
