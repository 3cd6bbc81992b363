import type {OutputFormat} from './options.ts';

/** What `-o` may say to commands that print objects of one kind. */
export const listOutputs: readonly OutputFormat[] = ['json', 'name', 'wide', 'yaml'];

/** What it may say to those that print something else. */
export const structuredOutputs: readonly OutputFormat[] = ['json', 'yaml'];
