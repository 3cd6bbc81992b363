import {expect, test} from 'vitest';
import {firstState, LeftScreens} from '../../../src/ui/state/uiState.ts';
import {aForecast, now} from '../../print/forecasts.ts';
import {TestSource} from '../support/scenes.ts';

test('a screen reappears as it was left, in the theme chosen last, and shows the present', () => {
	const left = new LeftScreens();
	expect(left.stateOf('east', 'shop')).toBeUndefined();
	const scene = new TestSource(aForecast({})).get();
	left.leave('east', {...firstState('dark', 'shop'), paused: {scene, at: now}});
	left.leave('west', {...firstState('light', undefined), isThemeChosen: true});
	expect(left.stateOf('east', undefined)).toMatchObject({
		...{namespace: 'shop', theme: 'light', isThemeChosen: true, paused: undefined},
	});
	expect(left.stateOf('north', 'bank')).toMatchObject({namespace: 'bank', theme: 'light'});
});

test('a screen that its cluster ended takes no other screen its state', () => {
	const left = new LeftScreens();
	left.leave('east', {...firstState('light', 'shop'), isThemeChosen: true});
	left.leave('west', undefined);
	expect(left.last).toMatchObject({theme: 'light'});
	expect(left.stateOf('east', undefined)).toMatchObject({namespace: 'shop', theme: 'light'});
});
