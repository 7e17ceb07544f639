// The storm in the prototype's shape: a receiver takes all deliveries, and only then a worker begins; how long it works, how often it judges, and whether deliveries overtook one another.
import { botEnvironment, startBot } from '../bot.ts'
import { deliver } from '../deliver.ts'
import { processorMs } from '../process-figures.ts'
import { decisionsSince, type Storm, sendStorm, untilSettled } from './storm.ts'

interface Worked {
  ms: number
  processorMs: number
  /** Mail that stands behind that of a delivery which was sent only after it was taken. */
  overtaken: number
}

/** From when the worker is ready until nothing waits any more. */
export async function judgeWaiting(given: { queue: string; rules: string; service: string }, storm: Storm): Promise<Worked> {
  const since = new Date().toISOString()
  const receiver = await startBot(botEnvironment({ ...given, only: 'receiver' }))
  try {
    const sent = new Map<string, Sent>()
    await sendStorm(storm, async (iid) => {
      const at = performance.now()
      const id = await deliver(receiver.url, iid)
      sent.set(id, { at, taken: performance.now() })
    })
    const worker = await startBot(botEnvironment({ ...given, only: 'worker' }))
    try {
      const [started, before] = [performance.now(), processorMs(worker.pid)]
      await untilSettled(receiver.url)
      const worked = { ms: performance.now() - started, processorMs: processorMs(worker.pid) - before }
      return { ...worked, overtaken: await overtaken(receiver.url, since, sent) }
    } finally {
      await worker.stop()
    }
  } finally {
    await receiver.stop()
  }
}

interface Sent {
  at: number
  taken: number
}

async function overtaken(url: string, since: string, sent: ReadonlyMap<string, Sent>): Promise<number> {
  const mail = new Map<number, Set<string>>()
  // The newest come first.
  for (const { mergeRequest, deliveries } of (await decisionsSince(url, since)).reverse()) {
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
  if ([...mail.values()].reduce((sum, { size }) => sum + size, 0) !== sent.size) throw new Error('not every delivery was judged')
  return count
}
