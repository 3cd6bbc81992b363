import type {Scene} from '../scene/scene.ts';

/** A scene with the pods and the workloads of one namespace alone; all of them where none is chosen. */
export function scopedTo(namespace: string | undefined, scene: Scene): Scene {
	if (namespace === undefined) return scene;
	const {forecast, impacts} = scene;
	return {
		...scene,
		forecast: forecast?.digest.inNamespace(namespace),
		...(impacts && {impacts: impacts.inNamespace(namespace)}),
	};
}
