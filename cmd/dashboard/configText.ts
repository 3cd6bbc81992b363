import {parse} from 'yaml';
import {readConfig, type UiConfig} from '../../src/ui/state/config.ts';

/** What a configuration file says. Apart from where it is found: most users have none, and wait for no YAML. */
export const configOf = (text: string): UiConfig => readConfig(parse(text));
