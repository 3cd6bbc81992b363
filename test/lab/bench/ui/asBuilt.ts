import {registerHooks} from 'node:module';
import {loadTrimmed} from '../../../support/trimmedModules.ts';

// Imported before a bench: it measures the ink that is built.
registerHooks({load: loadTrimmed});
