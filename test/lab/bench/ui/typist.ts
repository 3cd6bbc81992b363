import {parentPort} from 'node:worker_threads';

// Somebody else's thread: keys come when they come, also in the middle of a piece of work.
parentPort?.on('message', (wait: number) => {
	setTimeout(() => parentPort?.postMessage(performance.timeOrigin + performance.now()), wait);
});
