import {Box} from 'ink';
import {createElement, type ReactNode} from 'react';
import {Lines} from './lines.ts';
import {Overview} from './overview.ts';
import {planOf, viewTitle} from './plan.ts';
import {TableWindow} from './tableWindow.ts';
import type {View} from './view.ts';

/** The whole screen: title and headline above, the view in the middle, counts and keys below. */
export function ScreenFrame({view}: {readonly view: View}): ReactNode {
	const {above, lines, layout, room, below} = planOf(view);
	const {columns: width, rows} = view.size;
	const between = lines
		? [createElement(Lines, {lines, width})]
		: layout
			? [createElement(Overview, {view, layout})]
			: [
					createElement(Lines, {lines: [viewTitle(view)], width}),
					createElement(TableWindow, {view, height: room - 1, width, hasReasons: true}),
				];
	return createElement(
		Box,
		{flexDirection: 'column', width, height: Math.max(1, rows - 1)},
		createElement(Lines, {lines: above, width}),
		createElement(Box, {flexDirection: 'column', height: room, flexShrink: 0}, ...between),
		createElement(Lines, {lines: below, width}),
	);
}
