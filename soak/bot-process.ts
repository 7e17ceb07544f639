// One real process of the bot: started, killed, told to stop and started again; all that it writes is looked through.
import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import type { BotLog } from './record.ts'

export interface BotProcess {
  readonly name: string
  /** Where it listens; undefined while it does not. */
  url(): string | undefined
  /** Resolves when it is ready. `false`: it ended before, which `mayFail` allowed. */
  start(mayFail: () => boolean): Promise<boolean>
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>
  /** SIGSTOP for so long, then SIGCONT; resolves when it goes on. */
  freeze(ms: number): Promise<void>
  /** SIGTERM; resolves when it has ended. */
  terminate(): Promise<void>
}

export interface BotProcessOptions {
  name: string
  environment: Record<string, string>
  folder: string
  /** What may stand in no output. */
  secrets: readonly string[]
  log: BotLog
}

const command = resolve(import.meta.dirname, '../bin/bellhop.cjs')
// Twice what it has for its running work by default.
const endsWithinMs = 40_000
// Half of the 30 s that a job's lock lasts (src/queue/bullmq/worker.ts): what is frozen for longer may lose it.
const locksRenewedEveryMs = 15_000
// PostgreSQL calls each refused connection FATAL; Node writes FATAL ERROR when it is out of memory.
const crashWords = /unhandled ?(?:promise ?)?rejection|uncaught ?exception|heap out of memory|FATAL ERROR:/i

interface Running {
  child: ChildProcess
  url: string | undefined
  /** What its end is to be, as soon as that is known. */
  expected: string | undefined
  ended: Promise<string>
}

export function createBotProcess({ name, environment, folder, secrets, log }: BotProcessOptions): BotProcess {
  const inherited = Object.entries(process.env).filter(([variable]) => !variable.startsWith('BELLHOP_'))
  const output = createWriteStream(join(folder, `${name}.log`), { flags: 'a' })
  let running: Running | undefined

  function read(line: string): void {
    output.write(`${line}\n`)
    readLine(name, line, secrets, log)
  }

  async function start(mayFail: () => boolean): Promise<boolean> {
    const child = spawn(process.execPath, [command, 'serve'], {
      env: { ...Object.fromEntries(inherited), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = new Promise<string>((settle) =>
      child.once('close', (code, signal) => settle(signal ?? `code ${code}`)),
    )
    const started: Running = { child, url: undefined, expected: undefined, ended }
    running = started
    const ready = new Promise<boolean>((settle) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        read(line)
        started.url = /^bellhop: (\S+)$/.exec(line)?.[1] ?? started.url
        if (started.url !== undefined) settle(true)
      })
      createInterface({ input: child.stderr }).on('line', read)
      void ended.then(() => settle(false))
    })
    void ended.then((found) => {
      if (running === started) running = undefined
      const expected = started.expected ?? 'to go on'
      if (found !== expected && !(started.url === undefined && mayFail()))
        log.ends.push({ process: name, expected, found })
    })
    return ready
  }

  async function end(signal: 'SIGKILL' | 'SIGTERM', expected: string): Promise<void> {
    const ending = running
    if (ending === undefined) return
    // One that is told to stop before it is ready ends as any other program.
    ending.expected = ending.url === undefined ? signal : expected
    ending.url = undefined
    ending.child.kill(signal)
    const inTime = await Promise.race([ending.ended.then(() => true), delay(endsWithinMs, false, { ref: false })])
    if (inTime) return
    log.ends.push({ process: name, expected, found: `nothing within ${endsWithinMs / 1000} s of ${signal}` })
    ending.expected = 'SIGKILL'
    ending.child.kill('SIGKILL')
    await ending.ended
  }

  async function freeze(ms: number): Promise<void> {
    const frozen = running
    if (frozen === undefined) return
    const from = Date.now()
    frozen.child.kill('SIGSTOP')
    await delay(ms)
    frozen.child.kill('SIGCONT')
    if (ms > locksRenewedEveryMs) log.freezes.push({ process: name, from, to: Date.now() })
  }

  return {
    name,
    url: () => running?.url,
    freeze,
    start,
    kill: () => end('SIGKILL', 'SIGKILL'),
    terminate: () => end('SIGTERM', 'code 0'),
  }
}

interface LogLine {
  time?: string
  event?: string
  mergeRequest?: string
  tookMs?: number
}

/** Takes from one line what the promises are about. */
export function readLine(process: string, line: string, secrets: readonly string[], log: BotLog): void {
  if (secrets.some((secret) => line.includes(secret)))
    log.forbidden.push({ process, why: 'no secret is in any output', line: '(not shown)' })
  if (crashWords.test(line)) log.forbidden.push({ process, why: 'no process crashes', line })
  if (!line.startsWith('{')) return
  const { event, mergeRequest, time, tookMs }: LogLine = JSON.parse(line)
  if (mergeRequest === undefined) return
  if (event === 'decided' && time !== undefined && tookMs !== undefined) {
    const to = Date.parse(time)
    log.evaluations.push({ process, mergeRequest, from: to - tookMs, to })
  }
}
