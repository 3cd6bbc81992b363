import {registerHooks} from 'node:module';
import {loadTrimmed} from '../../../support/trimmedModules.ts';

// Imported before a bench, so that it measures ink as it is bundled.
registerHooks({load: loadTrimmed});
