import type {Forecast} from '../../forecast/forecast.ts';
import {once} from '../../forecast/once.ts';
import type {Scene} from '../scene/scene.ts';

/** A scene with the pods and the workloads of one namespace alone; all of them where none is chosen. */
export const scopedTo = (namespace: string | undefined, scene: Scene): Scene =>
	namespace === undefined ? scene : once(narrowed, scene, namespace);

function narrowed(scene: Scene, namespace: string): Scene {
	const {forecast, impacts} = scene;
	return {
		...scene,
		forecast: forecast && once(forecastOf, forecast, namespace),
		...(impacts && {impacts: impacts.filter((one) => one.namespace === namespace)}),
	};
}

const forecastOf = (forecast: Forecast, namespace: string): Forecast => ({
	...forecast,
	pods: forecast.pods.filter((pod) => pod.namespace === namespace),
});
