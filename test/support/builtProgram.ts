import {join} from 'node:path';
import {inject} from 'vitest';

/** The folder of the built program. Tests run what is in it, and write nothing into it. */
export const programFolder: string = inject('programFolder');

/** The program, as a user has it. */
export const builtProgram: string = join(programFolder, 'kubectl-evictwatch');
