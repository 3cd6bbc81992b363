import {expect, test} from 'vitest';
import {playDrawn} from '../support/drawn.ts';
import {type SoundnessOptions, wrongForecasts} from '../support/soundness.ts';

const v116 = {version: 'v1.16.15', hasBetaLabels: true};

test.for<{name: string; options: SoundnessOptions; also?: readonly number[]; deep?: readonly number[]}>([
	{name: 'v1.16', options: v116},
	{
		name: 'v1.16, with taints that users set and a restart',
		options: {...v116, hasUserTaints: true, hasRestart: true},
	},
	{name: 'v1.20', options: {version: 'v1.20.15', hasUserTaints: true}},
	{name: 'v1.24', options: {version: 'v1.24.17', hasRestart: true}},
	{name: 'v1.28, through a throttled client', options: {version: 'v1.28.15', isThrottled: true}},
	{name: 'v1.33', options: {version: 'v1.33.5', hasUserTaints: true}},
	{name: 'v1.16 without leases', options: {...v116, hasNoLeases: true}},
	{name: 'v1.16 without taints', options: {...v116, withoutTaints: true}},
	{
		name: 'v1.16 without taints, of which events tell',
		options: {...v116, withoutTaints: true, lostEvents: 0},
	},
	{name: 'v1.16 without taints, with a restart', options: {...v116, withoutTaints: true, hasRestart: true}},
	{name: 'v1.16 without taints and leases', options: {...v116, withoutTaints: true, hasNoLeases: true}},
	{name: 'v1.20 without taints', options: {version: 'v1.20.15', withoutTaints: true}},
	{
		name: 'v1.24 without taints, through a throttled client',
		options: {version: 'v1.24.17', withoutTaints: true, isThrottled: true},
	},
	// All zones were down once or more, which nodes that are down again hide (24, 87, 138, 1237); a node reported NotReady
	// before it became Unknown (61, 1747); nodes that were evicted long ago are queued again once all zones are down (973).
	// Pods still have the mark of an eviction from before their node's short return (1982), also those of DaemonSets (395). A
	// node may have been not ready before it became Unknown (1007, 1397), or ready before it returned (2408); it may have been
	// evicted long ago (2491) or in an earlier outage (1154), and keeps its turn when it becomes Unknown (2348), except for a
	// timeout that ends in that pass (2067), or that restarted and has not ended by then (1130).
	{
		name: 'v1.20 without taints, that end in a burst',
		options: {version: 'v1.20.15', withoutTaints: true, endsInBurst: true},
		also: [24, 61, 395, 973, 1007, 1154, 1397, 1982, 2348, 2408, 2491],
		deep: [
			87, 138, 290, 291, 998, 1035, 1130, 1237, 1400, 1747, 1892, 1995, 2067, 2310, 2472, 3136, 3150, 3279,
			3430,
		],
	},
])('a forecast contains what then happens in outages of $name', ({name, options, also = [], deep = []}) => {
	const drawn = {suite: 'oldReleases', kind: name, count: 60, also, deep};
	expect(playDrawn(drawn, (seed) => wrongForecasts(seed, options)).flat()).toEqual([]);
});
