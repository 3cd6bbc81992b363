import type {Forecast} from '../../../src/forecast/forecast.ts';
import type {Scene, SceneSource} from '../../../src/ui/scene/scene.ts';
import {aForecast, now} from '../../print/forecasts.ts';

/** A scene around a forecast, heard of a moment ago. */
export const aScene = (fields: Partial<Scene> = {}): Scene => ({
	...{title: 'test', forecast: aForecast(), link: {state: 'live'}, heardAt: now},
	...{settings: [], happenings: [], falseAlarms: 0, isPartial: false, gaps: []},
	...fields,
});

/** A source whose scene and clock the test sets. */
export class TestSource implements SceneSource {
	#scene: Scene;
	#now = now;
	#listeners = new Set<() => void>();

	constructor(forecast: Forecast, fields: Partial<Scene> = {}) {
		this.#scene = aScene({...fields, forecast});
	}

	get = (): Scene => this.#scene;
	now = () => this.#now;
	explain = () => undefined;
	subscribe = (listener: () => void) => {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	};

	show(forecast: Forecast, at = this.#now): void {
		this.change({forecast, heardAt: at}, at);
	}

	change(fields: Partial<Scene>, at = this.#now): void {
		this.#scene = {...this.#scene, ...fields};
		this.#now = at;
		for (const listener of this.#listeners) listener();
	}
}
