// A headless Chromium driven over its pipe; Node built-ins only, Node 18 is enough.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--enable-unsafe-swiftshader', '--disable-quic',
  '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--disable-dev-shm-usage', '--disable-extensions', '--hide-scrollbars', '--remote-debugging-pipe'];
const answerLimit = 60000;

export class Browser {
  #process;
  #profile;
  #next = 1;
  #waiting = new Map();
  #listeners = [];
  #rest = '';
  #log = '';

  constructor(program) {
    this.#profile = mkdtempSync(join(tmpdir(), 'routh-chromium-'));
    this.#process = spawn(program, [...flags, `--user-data-dir=${this.#profile}`, 'about:blank'],
      { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] });
    this.#process.stderr.on('data', (data) => { this.#log = (this.#log + data).slice(-2000); });
    this.#process.stdio[4].setEncoding('utf8').on('data', (data) => this.#receive(data));
    this.#process.stdio[3].on('error', () => undefined);
    this.#process.on('error', (error) => this.#fail(error.message));
    this.#process.on('exit', (code) => this.#fail(`the browser ended (${code}): ${this.#log}`));
  }

  #fail(message) {
    for (const { reject } of this.#waiting.values()) reject(new Error(message));
    this.#waiting.clear();
  }

  // Messages are JSON texts, each ended by a zero byte.
  #receive(data) {
    const parts = (this.#rest + data).split('\0');
    this.#rest = parts.pop();
    for (const part of parts) {
      const message = JSON.parse(part);
      if (message.id === undefined) {
        for (const listener of this.#listeners) listener(message);
        continue;
      }
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.error) waiting?.reject(new Error(`${waiting.method}: ${message.error.message}`));
      else waiting?.resolve(message.result);
    }
  }

  send(method, params = {}, sessionId = undefined) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new Error(`${method}: no answer within ${answerLimit / 1000} s`));
      }, answerLimit);
      this.#waiting.set(id, {
        method,
        resolve: (value) => { clearTimeout(timer); resolve(value); },
        reject: (error) => { clearTimeout(timer); reject(error); },
      });
      this.#process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  listen(listener) {
    this.#listeners.push(listener);
  }

  async open(url, options) {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page(this, sessionId, targetId);
    await page.start(url, options);
    return page;
  }

  async close() {
    const ended = new Promise((resolve) => { this.#process.once('exit', resolve); });
    this.send('Browser.close').catch(() => undefined);
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), 20000);
    if (this.#process.exitCode === null) await ended;
    clearTimeout(timer);
    try { // its helpers may still write there
      rmSync(this.#profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    } catch (error) {
      console.log(`# ${error.message}`);
    }
  }
}

export class Page {
  /** What went wrong in the page: console errors, exceptions, log entries of level error. */
  errors = [];
  /** Addresses asked for. */
  requests = [];
  #browser;
  #session;
  #target;

  constructor(browser, session, target) {
    this.#browser = browser;
    this.#session = session;
    this.#target = target;
    browser.listen(({ sessionId, method, params }) => {
      if (sessionId === session) this.#note(method, params);
    });
  }

  #note(method, params) {
    if (method === 'Runtime.exceptionThrown') {
      const { text, exception } = params.exceptionDetails;
      this.errors.push(exception?.description ?? text);
    } else if (method === 'Runtime.consoleAPICalled' && ['error', 'assert'].includes(params.type)) {
      this.errors.push(`console.${params.type}: ${params.args.map((a) => a.value ?? a.description).join(' ')}`);
    } else if (method === 'Log.entryAdded' && params.entry.level === 'error') {
      this.errors.push(`${params.entry.source}: ${params.entry.text}`);
    } else if (method === 'Network.requestWillBeSent') {
      this.requests.push(params.request.url);
    } else if (method === 'Page.javascriptDialogOpening') {
      this.errors.push(`the page opened a dialog: ${params.message}`);
      this.send('Page.handleJavaScriptDialog', { accept: false }).catch(() => undefined);
    }
  }

  send(method, params = {}) {
    return this.#browser.send(method, params, this.#session);
  }

  async start(url, { width = 1280, height = 900, scale = 1, mobile = false, media = [] } = {}) {
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await this.send(`${domain}.enable`);
    await this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: scale, mobile });
    await this.send('Emulation.setTouchEmulationEnabled', { enabled: mobile, maxTouchPoints: 2 });
    await this.send('Emulation.setEmulatedMedia', { features: media });
    this.requests.length = 0;
    await this.send('Page.navigate', { url });
    await this.until('document.readyState === "complete" && location.href !== "about:blank"', 'the page to load');
  }

  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate',
      { expression, returnByValue: true, awaitPromise: true, userGesture: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Wait until an expression is true in the page. */
  async until(expression, what, limit = 60000) {
    const start = Date.now();
    for (;;) {
      if (await this.evaluate(`Boolean(${expression})`).catch(() => false)) return;
      if (Date.now() - start > limit) throw new Error(`waited ${limit / 1000} s in vain for ${what}`);
      await pause(30);
    }
  }

  /** Middle of an element in the window, after bringing it into view. */
  async middle(selector) {
    const box = await this.evaluate(`(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      if (element === null) return null;
      element.scrollIntoView({ block: 'center' });
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2, width, height };
    })()`);
    if (box === null || box.width === 0) throw new Error(`${selector} is not to be seen`);
    return box;
  }

  async click(selector) {
    const { x, y } = await this.middle(selector);
    await this.clickAt(x, y);
  }

  async clickAt(x, y) {
    const event = { x, y, button: 'left', buttons: 1, clickCount: 1 };
    await this.send('Input.dispatchMouseEvent', { ...event, type: 'mouseMoved', buttons: 0 });
    await this.send('Input.dispatchMouseEvent', { ...event, type: 'mousePressed' });
    await this.send('Input.dispatchMouseEvent', { ...event, type: 'mouseReleased', buttons: 0 });
  }

  async key(key, code = key, modifiers = 0) {
    const event = { key, code, modifiers, windowsVirtualKeyCode: codes[key] ?? 0 };
    await this.send('Input.dispatchKeyEvent', { ...event, type: 'keyDown', ...(key === ' ' ? { text: ' ' } : {}) });
    await this.send('Input.dispatchKeyEvent', { ...event, type: 'keyUp' });
  }

  /** Fingers at these places, one list after another; then lifted. */
  async touch(steps) {
    for (const [k, points] of steps.entries()) {
      await this.send('Input.dispatchTouchEvent', { type: k === 0 ? 'touchStart' : 'touchMove',
        touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
      await pause(30);
    }
    await this.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  }

  /** A tap, until the page has taken it: where the machine is busy a finger may seem to rest, which is no tap. */
  async tap([x, y], expression, what) {
    for (let k = 0; ; k++) {
      const down = this.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y, id: 0 }] });
      await Promise.all([down, this.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })]);
      try {
        return await this.until(expression, what, 5000);
      } catch (error) {
        if (k === 9) throw error;
      }
    }
  }

  async screenshot(clip = undefined) {
    const { data } = await this.send('Page.captureScreenshot',
      { format: 'png', ...(clip ? { clip: { ...clip, scale: 1 } } : {}) });
    return Buffer.from(data, 'base64');
  }

  async close() {
    await this.#browser.send('Target.closeTarget', { targetId: this.#target });
  }
}

const codes = { ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, ' ': 32, Tab: 9, Enter: 13, '+': 187 };

export const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
