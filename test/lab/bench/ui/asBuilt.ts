import {registerHooks} from 'node:module';
import {aliases} from '../../../../scripts/trimmedDependencies.ts';
import {loadTrimmed} from '../../../support/trimmedModules.ts';

// Imported before a bench, so that it measures ink as it is bundled.
registerHooks({load: loadTrimmed, resolve: (name, context, next) => next(aliases[name] ?? name, context)});
