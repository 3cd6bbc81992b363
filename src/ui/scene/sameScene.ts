import type {Scene} from './scene.ts';

/** What changes all the time, and is drawn with the clock: word of the cluster, and what that cost. */
const unsteady: ReadonlySet<string> = new Set<keyof Scene>(['heardAt', 'cost']);

/** Whether one scene shows nothing that the other did not, but for what is drawn with the clock anyway. */
export function isSameScene(a: Scene, b: Scene): boolean {
	const names = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof Scene>;
	return [...names].every((name) => unsteady.has(name) || a[name] === b[name]);
}
