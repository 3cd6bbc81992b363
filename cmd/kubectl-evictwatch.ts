import {actionOf} from './actions.ts';
import {main} from './main.ts';

await main(actionOf);
