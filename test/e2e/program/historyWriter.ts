import {History} from '../../../src/shadow/history/history.ts';

// Writes to the history of a folder as fast as it can, and says what it has written, until it is killed.
const history = History.open(
	process.argv[2] ?? '',
	(error) => {
		throw error;
	},
	{bytes: 3000, kept: 20},
);
for (let number = Number(process.argv[3]); ; number += 1) {
	history.recordTold([[`key-${number}`, 'firing']], number);
	process.stdout.write(`${number}\n`);
	// Lets the words leave the process.
	await new Promise((resolve) => setImmediate(resolve));
}
