import type {Forecast} from '../../../src/forecast/forecast.ts';
import {type ShownForecast, shownForecast} from '../../../src/ui/scene/digest.ts';
import type {Scene, SceneSource} from '../../../src/ui/scene/scene.ts';
import {aForecast, now} from '../../print/forecasts.ts';

type Fields = Omit<Partial<Scene>, 'forecast'> & {readonly forecast?: Forecast | undefined};

const shown = (forecast: Forecast): ShownForecast =>
	'digest' in forecast ? (forecast as ShownForecast) : shownForecast(forecast);

/** A scene around a forecast, with data from a moment ago. */
export const aScene = ({forecast = aForecast(), ...fields}: Fields = {}): Scene => ({
	...{title: 'test', forecast: shown(forecast), link: {state: 'live'}, heardAt: now},
	...{settings: [], happenings: [], falseAlarms: 0, gaps: []},
	...fields,
});

/** A source whose scene and clock the test sets. */
export class TestSource implements SceneSource {
	#scene: Scene;
	#now = now;
	#listeners = new Set<() => void>();

	constructor(forecast: Forecast, fields: Fields = {}) {
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

	change(fields: Fields, at = this.#now): void {
		const {forecast = undefined} = 'forecast' in fields ? fields : this.#scene;
		this.#scene = {...this.#scene, ...fields, forecast: forecast && shown(forecast)};
		this.#now = at;
		for (const listener of this.#listeners) listener();
	}
}
