// A storm in one piece: a receiver takes all deliveries, and only then a worker begins. How long it works, how often it
// evaluates, and whether deliveries overtook one another. Then once more, with that worker.
import { post } from '../admin.ts'
import { botEnvironment, type RunningBot, startBot } from '../bot.ts'
import { deliver } from '../deliver.ts'
import { processorMs } from '../process-figures.ts'
import { decisionsSince, type Storm, sendStorm, untilSettled } from './storm.ts'

export interface Worked {
  ms: number
  processorMs: number
  evaluations: number
  /** Mail that stands behind that of a delivery which was sent only after it was taken. */
  overtaken: number
}

/** What both measure by; `evaluations` gives how many there were since it was last called. */
export interface Given {
  queue: string
  rules: string
  service: string
  evaluations: () => Promise<number>
}

/**
 * From when the worker may begin until nothing waits any more: of a worker that has just started, and of the same one
 * after that storm.
 */
export async function evaluateWaiting(
  given: Given & { journal: string },
  storm: Storm,
): Promise<{ first: Worked; second: Worked }> {
  const { evaluations } = given
  const receiver = await startBot(botEnvironment({ ...given, only: 'receiver' }))
  try {
    await evaluations()
    const firstSent = await send(receiver.url, storm)
    const worker = await startBot(botEnvironment({ ...given, only: 'worker' }))
    try {
      const first = await worked(worker, given, firstSent, async () => undefined)
      await post(worker.url, '/queue/pause')
      const secondSent = await send(receiver.url, storm)
      return { first, second: await worked(worker, given, secondSent, () => post(worker.url, '/queue/resume')) }
    } finally {
      await worker.stop()
    }
  } finally {
    await receiver.stop()
  }
}

/** The second storm of one process with an embedded queue, which takes both while the queue is paused. */
export async function evaluateInOneProcess(given: Given, storm: Storm): Promise<Worked> {
  const bot = await startBot(botEnvironment(given))
  const afterPause = async () => {
    await post(bot.url, '/queue/pause')
    await given.evaluations()
    return worked(bot, given, await send(bot.url, storm), () => post(bot.url, '/queue/resume'))
  }
  try {
    await afterPause()
    return await afterPause()
  } finally {
    await bot.stop()
  }
}

async function worked(
  { url, pid }: RunningBot,
  { evaluations }: Given,
  { since, sent }: SentStorm,
  begins: () => Promise<void>,
): Promise<Worked> {
  const [started, before] = [performance.now(), processorMs(pid)]
  await begins()
  await untilSettled(url)
  const taken = { ms: performance.now() - started, processorMs: processorMs(pid) - before }
  return { ...taken, evaluations: await evaluations(), overtaken: await overtaken(url, since, sent) }
}

interface SentStorm {
  /** ISO 8601. */
  since: string
  sent: ReadonlyMap<string, Sent>
}

async function send(url: string, storm: Storm): Promise<SentStorm> {
  const since = new Date().toISOString()
  const sent = new Map<string, Sent>()
  await sendStorm(storm, async (iid) => {
    const at = performance.now()
    const id = await deliver(url, iid)
    sent.set(id, { at, taken: performance.now() })
  })
  return { since, sent }
}

interface Sent {
  at: number
  taken: number
}

async function overtaken(url: string, since: string, sent: ReadonlyMap<string, Sent>): Promise<number> {
  const mail = new Map<number, Set<string>>()
  // The newest come first.
  for (const { mergeRequest, deliveries } of (await decisionsSince(url, { since })).reverse()) {
    const of = mail.get(mergeRequest.iid) ?? new Set()
    for (const each of deliveries) of.add(each)
    mail.set(mergeRequest.iid, of)
  }
  let count = 0
  for (const deliveries of mail.values()) {
    let newest = Number.NEGATIVE_INFINITY
    for (const each of deliveries) {
      const { at, taken } = sent.get(each) ?? { at: Number.NaN, taken: Number.NaN }
      if (taken < newest) count += 1
      newest = Math.max(newest, at)
    }
  }
  if ([...mail.values()].reduce((sum, { size }) => sum + size, 0) !== sent.size)
    throw new Error('not every delivery was evaluated')
  return count
}
