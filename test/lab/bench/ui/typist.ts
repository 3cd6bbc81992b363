import {parentPort} from 'node:worker_threads';

// In another thread, so that keys come at any time, also in the middle of work.
parentPort?.on('message', (wait: number) => {
	setTimeout(() => parentPort?.postMessage(performance.timeOrigin + performance.now()), wait);
});
