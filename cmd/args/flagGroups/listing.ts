import {controllerFlags} from './controller.ts';
import {fileFlags} from './files.ts';
import {objectTableFlags, outputFlags, tableFlags} from './printing.ts';
import {selectionFlags} from './selection.ts';
import {watchFlags} from './watching.ts';

/** What `pods`, `nodes` and `zones` take, as `kubectl get` takes it for every kind. */
export const listingFlags = {
	...selectionFlags,
	...outputFlags,
	...tableFlags,
	...objectTableFlags,
	...watchFlags,
	...fileFlags,
	...controllerFlags,
} as const;
