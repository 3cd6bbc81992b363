import {expect, test} from 'vitest';
import {playScenario} from '../../../conformance/kubelet/playScenario.ts';
import {randomKubelet} from './randomKubelet.ts';

const seeds = Array.from({length: 40}, (_, index) => index + 1);

test('a seed makes the same node for ever, and another one another', () => {
	expect(randomKubelet(7)).toEqual(randomKubelet(7));
	expect(new Set(seeds.map((seed) => JSON.stringify(randomKubelet(seed)))).size).toBe(seeds.length);
});

// The container file system's own signal matters only in ties, which are decided for another signal here.
test('drawn nodes run short of everything a kubelet watches, and more pods go than there are nodes', () => {
	const kills = seeds.flatMap((seed) =>
		playScenario(randomKubelet(seed), () => 0).trace.filter(({kind}) => kind === 'kill'),
	);
	const signals = [...new Set(kills.map((kill) => String(kill['signal'])))].toSorted();
	expect(signals).toEqual([
		...['allocatableMemory.available', 'containerfs.inodesFree', 'emptydirfs.limit'],
		...['ephemeralcontainerfs.limit', 'ephemeralpodfs.limit', 'imagefs.available', 'imagefs.inodesFree'],
		...['memory.available', 'nodefs.available', 'nodefs.inodesFree', 'pid.available'],
	]);
	expect(kills.length).toBeGreaterThan(seeds.length);
});
