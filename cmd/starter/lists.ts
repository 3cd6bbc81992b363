import type {ActionOf} from '../actions.ts';
import {main} from '../main.ts';

// The program with no more in it than lists need: what the starter runs as one script. What is imported on demand runs on
// demand there as well. A script cannot wait at its top, and need not: this ends the process.
const listActionOf: ActionOf = async (command) => {
	switch (command) {
		case 'pods':
		case 'nodes':
		case 'zones':
			return (await import('../list.ts')).list;
		case 'help':
			return (await import('../help.ts')).printHelp;
		case 'version':
			return (await import('../version.ts')).printVersion;
		default:
			throw new Error(`${command} is no list`);
	}
};

void main(listActionOf);
