import {join} from 'node:path';
import {inject} from 'vitest';

/** The folder of the built program. Tests only read and run its files. */
const programFolder: string = inject('programFolder');

/** The program that users run. */
export const builtProgram: string = join(programFolder, 'kubectl-evictwatch');
