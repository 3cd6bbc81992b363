import {expect, test} from 'vitest';
import {playDrawn} from '../support/drawn.ts';
import {type SoundnessOptions, wrongForecasts} from '../support/soundness.ts';

test.for<{name: string; options: SoundnessOptions; also?: readonly number[]; deep?: readonly number[]}>([
	// 2614: an older countdown was visible only in a pod that was deleted before a swap.
	{name: 'outages of nodes alone', options: {}, also: [2614]},
	{name: 'outages with taints that users set', options: {hasUserTaints: true}},
	{name: 'outages through a throttled client', options: {isThrottled: true}},
	// 253: a token that came as a pass stopped all zones was lost in every hypothesis.
	{name: 'outages of nodes with wrong clocks', options: {hasWrongClocks: true}, also: [253]},
	{name: 'outages of which events tell', options: {lostEvents: 0, hasUserTaints: true}},
	{name: 'throttled outages of which half of the events tell', options: {lostEvents: 0.5, isThrottled: true}},
	{name: 'outages with a restart', options: {hasRestart: true, hasUserTaints: true}},
	// 1958: a node that was not ready became Unknown, and came back not ready: its pods were never marked.
	{name: 'outages of nodes alone, with a restart', options: {hasRestart: true}, also: [1958]},
	{
		name: 'outages with a restart of which most events tell',
		options: {hasRestart: true, hasUserTaints: true, lostEvents: 0.2},
	},
	{
		name: 'outages with a restart of which the events tell, and no lease',
		options: {hasRestart: true, hasUserTaints: true, lostEvents: 0, hidesLeader: true},
	},
	// In every hypothesis, a token from the very pass that stops all zones was used before the stop: it may be used in that
	// pass (221, 2242), or be lost (891, 949, 1236). A node that is down again was down in the pass that slowed its zone (200076).
	{
		name: 'outages that end in a burst',
		options: {endsInBurst: true},
		also: [221, 949, 200076],
		deep: [891, 1236, 2242],
	},
	// Passes counted from the controllers' start and from a node may agree in two places (1775); a node that kept its taint
	// when all evictions stopped consumes a token for nothing (1569); a taint from the pass that stops all zones stays (5180). A sum
	// of times was less than a pass by its rounding, which hid what that pass had found (558).
	{
		name: 'outages with a restart that end in a burst',
		options: {hasRestart: true, endsInBurst: true},
		also: [558, 1569, 1775, 5180],
	},
	// In every hypothesis, a zone's queue was processed during the pass that stops it.
	{
		name: 'outages of nodes with wrong clocks that end in a burst',
		options: {hasWrongClocks: true, endsInBurst: true},
		also: [744],
	},
])('a forecast contains what then happens in $name', ({name, options, also = [], deep = []}) => {
	const drawn = {suite: 'soundness', kind: name, count: 150, also, deep};
	expect(playDrawn(drawn, (seed) => wrongForecasts(seed, options)).flat()).toEqual([]);
});
