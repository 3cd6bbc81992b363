import type {ZoneStory} from '../../forecast/zoneForecast.ts';
import type {ZoneStoryJson} from '../contract/zoneForecast.ts';
import {rangeJson} from './rangeJson.ts';

/** The coming states of a zone, as JSON. */
export const storyJson = ({steps, isSure}: ZoneStory): ZoneStoryJson => ({
	isSure,
	steps: steps.map(({at, state, rate}) => ({at: rangeJson(at), state, rate})),
});
