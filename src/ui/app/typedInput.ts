/** Leaves typed input to others: a stream whose last listener is gone keeps reading from the terminal. */
export async function stopReading(stdin: Pick<NodeJS.ReadStream, 'pause'>): Promise<void> {
	// A stream needs one turn to notice that it has no listener, and another one to pause.
	await new Promise(setImmediate);
	stdin.pause();
	await new Promise(setImmediate);
}
