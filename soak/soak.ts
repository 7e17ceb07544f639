// One soak: people at work on a sandbox, the bot as real processes, faults; then rest, and a check of all promises.
import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type BotProcess, createBotProcess } from './bot-process.ts'
import { type Breakage, createBreakage } from './breakage.ts'
import { check } from './check.ts'
import { leftoversOf, storedSecrets } from './leftovers.ts'
import { createPeople } from './people.ts'
import { createRandom } from './random.ts'
import type { SoakRecord, Violation } from './record.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { type Relay, startRelay } from './relay.ts'
import { type FaultKind, schedule } from './schedule.ts'
import { newSecret, type Service, startService } from './service.ts'
import { type QueueKind, type Stores, startStores } from './stores.ts'

export interface SoakOptions {
  queue: QueueKind
  minutes: number
  seed: number
  faults: readonly FaultKind[]
  /** Logs, the schedule, the queue and the sandbox's repositories go there. */
  folder: string
  onProgress: (line: string) => void
}

export interface SoakResult {
  queue: SoakOptions['queue']
  seed: number
  minutes: number
  steps: number
  /** One for each project with a merge queue. */
  queued: { opened: number; landed: number }[]
  restSeconds: number
  record: SoakRecord
  faults: Record<string, number>
  violations: Violation[]
}

const paceMs = 60
/** A merge request is put into a queue after so many steps of people: the pipelines of queues take a second. */
const stepsBetweenQueued = 3
// So many hooks are on their way at most: people do not work faster than a service can tell.
const mostPending = 40
// A job of a process that was killed is taken up again when its lock has run out, up to a minute later.
const restWithinMs = 240_000
const quietMs = 3_000

/** Runs one; throws when the soak itself goes wrong, which is no statement about the bot. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const { folder, seed } = options
  await mkdir(folder, { recursive: true })
  const stops: (() => Promise<unknown>)[] = []
  const recorder = createRecorder()
  try {
    return await run(options, recorder, (stop) => stops.push(stop))
  } catch (error) {
    // A long run is worth its record, also without its checks.
    await writeFile(join(folder, 'record.json'), JSON.stringify(recorder.record))
    throw new Error(`the soak of seed ${seed} itself went wrong (see ${folder})`, { cause: error })
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}

interface Parts {
  service: Service
  relay: Relay
  recorder: Recorder
  breakage: Breakage
  processes: BotProcess[]
  stores: Stores
  secrets: string[]
}

async function run(
  options: SoakOptions,
  recorder: Recorder,
  onEnd: (stop: () => Promise<unknown>) => void,
): Promise<SoakResult> {
  const parts = await start(options, recorder, onEnd)
  const { service, breakage } = parts
  const steps = await work(options, parts)
  const began = Date.now()
  const left = await rest(options, parts)
  const { atRest, atAnyTime } = check(recorder.record)
  const { queue, seed, minutes } = options
  const restSeconds = Math.round((Date.now() - began) / 1000)
  const ofQueues = await Promise.all(service.queued.map((each) => each.problems()))
  const violations = [
    ...[...atRest, ...atAnyTime, ...left],
    ...ofQueues.flatMap((each) => [...each.atRest, ...each.atAnyTime]),
  ]
  const queued = await Promise.all(service.queued.map((each) => each.counts()))
  return {
    queue,
    seed,
    minutes,
    steps,
    queued,
    restSeconds,
    record: recorder.record,
    faults: { ...breakage.counts, ...parts.stores.counts() },
    violations,
  }
}

async function start(
  options: SoakOptions,
  recorder: Recorder,
  onEnd: (stop: () => Promise<unknown>) => void,
): Promise<Parts> {
  const { folder, onProgress } = options
  const stores = await startStores(options.queue, folder)
  onEnd(stores.stop)
  const random = createRandom(options.seed + 1)
  const processes: BotProcess[] = []
  let turn = 0
  const target = () => {
    const up = processes.flatMap((each) => each.url() ?? [])
    turn += 1
    return up[turn % up.length]
  }
  const relay = await startRelay({ record: recorder.record, next: recorder.next, target })
  onEnd(relay.close)
  const hooks = { secret: newSecret(), masterKey: newSecret() }
  const adminToken = newSecret()
  const service = await startService({
    folder: join(folder, 'sandbox'),
    projects: 2,
    hookUrl: relay.url,
    hooks,
    recorder,
    random,
  })
  onEnd(service.sandbox.close)
  const environment = {
    BELLHOP_SERVICE_URL: service.sandbox.url,
    BELLHOP_SERVICE_TOKEN: service.botToken,
    BELLHOP_HOOK_SECRET: hooks.secret,
    BELLHOP_HOOK_MASTER_KEY: hooks.masterKey,
    BELLHOP_ADMIN_TOKEN: adminToken,
    BELLHOP_PORT: '0',
    BELLHOP_QUEUE_URL: stores.queueUrl,
    BELLHOP_JOURNAL_URL: stores.journalUrl,
    BELLHOP_RULES: join(folder, 'no-rules'),
    // Every rule is new: without this, the new-rule limit would be what is tried.
    BELLHOP_NEW_RULE_LIMIT: '0',
    // Hooks that were lost are made good by nothing else.
    BELLHOP_SWEEP_EVERY: '20s',
  }
  const secrets = [...service.secrets, ...stores.secrets, adminToken]
  for (const name of stores.processes) {
    // As on two machines.
    const own = { ...environment, BELLHOP_WORK_DIR: join(folder, `work-${name}`) }
    const process = createBotProcess({ name, environment: own, folder, secrets, log: recorder.record.log })
    processes.push(process)
    onEnd(process.kill)
    if (!(await process.start(() => false))) throw new Error(`${name} did not start`)
    onProgress(`${name} on ${process.url()}, ${options.queue} queue`)
  }
  const breakage = createBreakage({ sandbox: service.sandbox, processes, servers: stores.servers })
  return { service, relay, recorder, breakage, processes, stores, secrets }
}

/** People and faults, until the time is over; everything is healed then. Gives the number of steps. */
async function work({ seed, minutes, faults, folder, onProgress }: SoakOptions, parts: Parts): Promise<number> {
  const { service, relay, recorder, breakage, processes, stores } = parts
  const log = createWriteStream(join(folder, 'schedule.jsonl'))
  const act = createPeople(service, recorder)
  const until = Date.now() + minutes * 60_000
  const heals: { at: number; heal: () => void }[] = []
  let step = 0
  let told = Date.now()
  const kinds = faults.filter((kind) => (kind !== 'redis' && kind !== 'postgres') || stores.servers[kind] !== undefined)
  for (const next of schedule(createRandom(seed), {
    projects: service.projects.length,
    processes: processes.length,
    faults: kinds,
  })) {
    if (Date.now() > until) break
    step += 1
    log.write(`${JSON.stringify({ step, at: new Date().toISOString(), ...next })}\n`)
    for (const due of heals.filter(({ at }) => at === step)) due.heal()
    if ('fault' in next) {
      const heal = breakage.apply(next.fault)
      if (heal !== undefined) heals.push({ at: step + next.fault.steps, heal })
    } else await act(next.act)
    if (step % stepsBetweenQueued === 0) await service.queued[step % service.queued.length]?.act()
    // People work on while the bot is away, but not for as long as a slow machine takes to start it.
    while (relay.pending() > mostPending || breakage.starting() > 0) await delay(paceMs)
    await delay(paceMs)
    if (Date.now() - told < 10_000) continue
    told = Date.now()
    onProgress(
      `${step} steps, ${recorder.record.hooks.length} hooks, ${recorder.record.log.evaluations.length} evaluations`,
    )
  }
  for (const { at, heal } of heals) if (at > step) heal()
  service.sandbox.faults.clear()
  await breakage.done()
  log.end()
  return step
}

/** Lets the bot come to rest, and ends it; gives what is wrong with what it leaves. */
async function rest({ onProgress }: SoakOptions, parts: Parts): Promise<Violation[]> {
  const { recorder, processes, stores, secrets } = parts
  const until = Date.now() + restWithinMs
  onProgress('faults are over; waiting for rest')
  for (;;) {
    await quiet(parts, until)
    for (const process of processes) await process.terminate()
    const { open, givenUp, unread, uncertain } = await leftoversOf(stores, recorder.record)
    recorder.record.uncertain = uncertain
    if (open === 0) return [...givenUp, ...unread, ...(await storedSecrets(stores, secrets))]
    if (Date.now() > until)
      return [
        ...givenUp,
        ...unread,
        { promise: 'all work is done', detail: `${open} jobs wait or run when all is over` },
      ]
    for (const process of processes) await process.start(() => false)
  }
}

/** Until nothing is on its way, the bot has not called for a while, and all is as it should be; or the time is over. */
async function quiet({ service, relay, recorder }: Parts, until: number): Promise<void> {
  while (Date.now() < until) {
    await delay(500)
    if (relay.pending() > 0 || Date.now() - recorder.lastCall() < quietMs) continue
    await service.sandbox.idle()
    if (relay.pending() > 0 || check(recorder.record).atRest.length > 0) continue
    const queued = await Promise.all(service.queued.map((each) => each.problems()))
    if (queued.every(({ atRest }) => atRest.length === 0)) return
  }
}
