import type {ActionOf} from '../actions.ts';
import {list} from '../list.ts';
import {main} from '../main.ts';

// The program with no more in it than lists need: what the starter runs as one script. A script cannot wait at its top, and
// need not: this ends the process.
const listActionOf: ActionOf = async (command) => {
	switch (command) {
		case 'pods':
		case 'nodes':
		case 'zones':
			return list;
		case 'help':
			return (await import('../help.ts')).printHelp;
		case 'version':
			return (await import('../version.ts')).printVersion;
		default:
			throw new Error(`${command} is no list`);
	}
};

void main(listActionOf);
