import {Box} from 'ink';
import {createElement, Fragment, type ReactNode} from 'react';
import {Lines} from './lines.ts';
import {Overview} from './overview.ts';
import {isOverview, type Plan, planOf, viewTitle} from './plan.ts';
import {Table} from './table.ts';
import type {View} from './view.ts';

/** The whole screen: title and headline above, the view between, counts and keys below. */
export function ScreenFrame({view}: {readonly view: View}): ReactNode {
	const plan = planOf(view);
	const {columns: width, rows} = view.size;
	return createElement(
		Box,
		{flexDirection: 'column', width, height: Math.max(1, rows - 1)},
		createElement(Lines, {lines: plan.above, width}),
		createElement(
			Box,
			{flexDirection: 'column', height: plan.room, flexShrink: 0},
			createElement(Body, {view, plan}),
		),
		createElement(Lines, {lines: plan.below, width}),
	);
}

function Body({view, plan: {lines, room}}: {readonly view: View; readonly plan: Plan}): ReactNode {
	const width = view.size.columns;
	if (lines) return createElement(Lines, {lines, width});
	if (isOverview(view)) return createElement(Overview, {view, height: room});
	return createElement(
		Fragment,
		null,
		createElement(Lines, {lines: [viewTitle(view)], width}),
		createElement(Table, {view, height: room - 1, width, hasReasons: true}),
	);
}
