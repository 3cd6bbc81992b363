import {Box} from 'ink';
import type {ReactNode} from 'react';
import {Lines} from './lines.tsx';
import {Overview} from './overview.tsx';
import {planOf, viewTitle} from './plan.ts';
import {TableWindow} from './tableWindow.tsx';
import type {View} from './view.ts';

/** The whole screen: title and headline above, the view in the middle, counts and keys below. */
export function ScreenFrame({view}: {readonly view: View}): ReactNode {
	const {above, lines, layout, room, below} = planOf(view);
	const {columns: width, rows} = view.size;
	return (
		<Box flexDirection="column" width={width} height={Math.max(1, rows - 1)}>
			<Lines lines={above} width={width} />
			<Box flexDirection="column" height={room} flexShrink={0}>
				{lines ? (
					<Lines lines={lines} width={width} />
				) : layout ? (
					<Overview view={view} layout={layout} />
				) : (
					<>
						<Lines lines={[viewTitle(view)]} width={width} />
						<TableWindow view={view} height={room - 1} width={width} hasReasons />
					</>
				)}
			</Box>
			<Lines lines={below} width={width} />
		</Box>
	);
}
