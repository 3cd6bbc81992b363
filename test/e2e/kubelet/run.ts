import {constants, getPriority, setPriority} from 'node:os';
import {join} from 'node:path';
import {say} from '../session.ts';
import {judgeAgain} from './again.ts';
import {runInNamespaces} from './namespaces.ts';
import {optionsOf} from './options.ts';
import {buildPrograms} from './programs.ts';
import {whyNot} from './requirements.ts';

// Compares predictions for a real kubelet's node with what that kubelet does. The suite itself runs in namespaces (inside.ts);
// this part needs the machine's own: the network, for builds, and a process that outlives the suite, to clean up.

const {again, plugin, table} = optionsOf(process.argv.slice(2));
if (again) process.exit(await judgeAgain(again, plugin, table));
const reason = whyNot();
if (reason) {
	console.log(`skipped: ${reason}`);
	process.exit(0);
}
// Other suites may run at the same time, in real time.
const priority = getPriority();
setPriority(constants.priority.PRIORITY_LOW);
const programs = buildPrograms(say);
setPriority(priority);
const args = [JSON.stringify(programs), ...process.argv.slice(2)];
process.exit(await runInNamespaces(join(import.meta.dirname, 'inside.ts'), args));
