/** Whether a dashboard can be shown: somebody sits before a terminal whose cursor can be moved. */
export const hasScreen = (): boolean =>
	process.stdin.isTTY === true && process.stdout.isTTY === true && process.env['TERM'] !== 'dumb';
