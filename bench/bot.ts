// The built bot as a process of its own, with what measurements do not need turned off.
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
export const bellhop = resolve(root, 'bin/bellhop.cjs')
export const hookSecret = 'hook-secret-of-the-bench'
export const adminToken = 'admin-token-of-the-bench'

/** `service`: where the hosting service is; nothing listens at the default. */
export function botEnvironment(given: {
  queue: string
  /** Where the queue is in Redis, unless it is a receiver. */
  journal?: string | undefined
  rules: string
  service?: string
  only?: 'receiver' | 'worker'
}): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    BELLHOP_SERVICE_URL: given.service ?? 'http://127.0.0.1:9',
    BELLHOP_SERVICE_TOKEN: 'token',
    BELLHOP_HOOK_SECRET: hookSecret,
    BELLHOP_ADMIN_TOKEN: adminToken,
    BELLHOP_PORT: '0',
    BELLHOP_QUEUE_URL: given.queue,
    BELLHOP_JOURNAL_URL: given.journal ?? '',
    BELLHOP_RULES: given.rules,
    BELLHOP_SWEEP_EVERY: '0',
    BELLHOP_CONCURRENCY: '50',
    ...(given.only === undefined ? {} : { BELLHOP_ONLY: given.only }),
  }
}

export interface RunningBot {
  url: string
  pid: number
  stop(): Promise<void>
}

let started = 0

export const startBot = (environment: Record<string, string>) => startCommand(['serve'], environment, 'bellhop')

/** A sandbox that keeps its data in this folder. */
export const startSandbox = (folder: string) =>
  startCommand(['sandbox', '--root-token', 'bench', '--data', folder], { PATH: process.env.PATH ?? '' }, 'sandbox')

/** Resolves when it is ready. Its log goes to a file: reading it here would slow down what sends the deliveries. */
async function startCommand(
  args: readonly string[],
  environment: Record<string, string>,
  name: 'bellhop' | 'sandbox',
): Promise<RunningBot> {
  started += 1
  const logFile = join(tmpdir(), `bench-bot-${process.pid}-${started}.log`)
  const log = openSync(logFile, 'w')
  const child = spawn(process.execPath, [bellhop, ...args], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', log],
  })
  closeSync(log)
  const gone = new Promise<void>((settle) => child.once('close', () => settle()))
  const url = await new Promise<string>((settle, reject) => {
    let said = ''
    child.stdout?.on('data', (bytes) => {
      said += String(bytes)
      const found = new RegExp(`^${name}: (\\S+)$`, 'm').exec(said)?.[1]
      if (found !== undefined) settle(found)
    })
    void gone.then(() =>
      reject(new Error(`${name} ended before it was ready: ${readFileSync(logFile, 'utf8').slice(-2000)}`)),
    )
  })
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM')
      await gone
      rmSync(logFile, { force: true })
    },
  }
}
