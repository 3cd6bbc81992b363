import {parse} from 'yaml';
import {readConfig, type UiConfig} from '../../src/ui/state/config.ts';

/** Parses a configuration file. A module of its own, as most users have no such file and need no YAML. */
export const configOf = (text: string): UiConfig => readConfig(parse(text));
