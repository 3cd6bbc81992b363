import {type ChildProcess, spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {createInterface} from 'node:readline';
import {minute} from '../../../src/core/time/instant.ts';

const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const packageManager = '/usr/bin/apt-get';

/** The browser of this machine, which is installed if possible; undefined if there is none. */
export function findBrowser(): string | undefined {
	const installed = () => browsers.find((name) => spawnSync(name, ['--version']).status === 0);
	if (!installed() && existsSync(packageManager) && process.getuid?.() === 0) {
		console.log('installing chromium');
		for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']])
			spawnSync(packageManager, args, {stdio: 'ignore', timeout: 10 * minute});
	}
	return installed();
}

type Message = {
	readonly id?: number;
	readonly method?: string;
	readonly params?: Readonly<Record<string, unknown>>;
	readonly result?: unknown;
	readonly error?: {readonly message: string};
};

/** A tab of a headless browser, by its debugging protocol, which also works where a page's policy blocks scripts. */
export class Tab {
	readonly #browser: ChildProcess;
	readonly #socket: WebSocket;
	readonly #answers = new Map<number, PromiseWithResolvers<unknown>>();
	/** What the browser reported: errors, and blocked content. */
	readonly complaints: string[] = [];
	#onEvent: (method: string) => void = () => undefined;
	#next = 1;

	private constructor(browser: ChildProcess, socket: WebSocket) {
		this.#browser = browser;
		this.#socket = socket;
		socket.addEventListener('message', ({data}) => this.#take(JSON.parse(String(data)) as Message));
	}

	static async open(browser: string, profile: string): Promise<Tab> {
		const child = spawn(
			browser,
			[
				'--headless=new',
				'--no-sandbox',
				'--disable-gpu',
				'--hide-scrollbars',
				'--remote-debugging-port=0',
				`--user-data-dir=${profile}`,
				'about:blank',
			],
			{stdio: ['ignore', 'ignore', 'pipe']},
		);
		const address = await debuggingAddress(child);
		const targets = (await (await fetch(`http://${address}/json/list`)).json()) as {
			type: string;
			webSocketDebuggerUrl: string;
		}[];
		const page = targets.find(({type}) => type === 'page');
		if (!page) throw new Error('the browser has no page');
		const socket = new WebSocket(page.webSocketDebuggerUrl);
		await new Promise((resolve, reject) => {
			socket.addEventListener('open', resolve, {once: true});
			socket.addEventListener('error', reject, {once: true});
		});
		const tab = new Tab(child, socket);
		for (const domain of ['Page', 'Runtime', 'Log']) await tab.send(`${domain}.enable`);
		return tab;
	}

	async send<T>(method: string, params: object = {}): Promise<T> {
		const id = this.#next++;
		const answer = Promise.withResolvers<unknown>();
		this.#answers.set(id, answer);
		this.#socket.send(JSON.stringify({id, method, params}));
		return (await answer.promise) as T;
	}

	/** Shows a page at a width, in light or dark mode. */
	async show(url: string, width: number, isDark: boolean): Promise<void> {
		const metrics = {width, height: 1000, deviceScaleFactor: 1, mobile: false};
		await this.send('Emulation.setDeviceMetricsOverride', metrics);
		const features = [{name: 'prefers-color-scheme', value: isDark ? 'dark' : 'light'}];
		await this.send('Emulation.setEmulatedMedia', {features});
		const loaded = new Promise<void>((resolve) => {
			this.#onEvent = (method) => method === 'Page.loadEventFired' && resolve();
		});
		await this.send('Page.navigate', {url});
		await loaded;
	}

	/** The value of an expression in the page. */
	async ask<T>(expression: string): Promise<T> {
		const {result} = await this.send<{result: {value: T}}>('Runtime.evaluate', {
			expression,
			returnByValue: true,
		});
		return result.value;
	}

	/** The whole page as a PNG. */
	async picture(): Promise<Buffer> {
		const how = {format: 'png', captureBeyondViewport: true};
		const {cssContentSize} = await this.send<{cssContentSize: {width: number; height: number}}>(
			'Page.getLayoutMetrics',
		);
		const clip = {x: 0, y: 0, ...cssContentSize, scale: 1};
		const {data} = await this.send<{data: string}>('Page.captureScreenshot', {...how, clip});
		return Buffer.from(data, 'base64');
	}

	async close(): Promise<void> {
		this.#socket.close();
		const exit = once(this.#browser, 'exit');
		this.#browser.kill('SIGKILL');
		await exit;
	}

	#take({id, method = '', params, result, error}: Message): void {
		if (id !== undefined) {
			const answer = this.#answers.get(id);
			this.#answers.delete(id);
			if (error) answer?.reject(new Error(error.message));
			else answer?.resolve(result);
			return;
		}
		if (method === 'Log.entryAdded' || method === 'Runtime.exceptionThrown') {
			this.complaints.push(JSON.stringify(params));
		}
		this.#onEvent(method);
	}
}

async function debuggingAddress(child: ChildProcess): Promise<string> {
	if (!child.stderr) throw new Error('the browser has no standard error');
	for await (const line of createInterface({input: child.stderr})) {
		const [, address] = /^DevTools listening on ws:\/\/([^/]+)\//.exec(line) ?? [];
		if (address !== undefined) {
			child.stderr.resume();
			return address;
		}
	}
	throw new Error('the browser does not start');
}
