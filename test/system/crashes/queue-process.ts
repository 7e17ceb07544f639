// A process over a queue, for tests that kill or freeze it. Its arguments: add+work|work URL LANE RECORD LOCK_MS.
import { appendFileSync, writeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { openQueues } from '../../../src/queue/open-queue.ts'
import type { JobHandler } from '../../../src/queue/types.ts'

const [does, url, queueName = '', record = '', lockMs] = process.argv.slice(2)
const queues = await openQueues({ url: url ?? '', lockMs: Number(lockMs) })
// Written without a buffer: what was said is said, whatever happens to the process.
const say = (line: string) => writeSync(1, `${line}\n`)

/** Adds without end, twenty at once; says each id when it is acknowledged. */
async function addWithoutEnd(): Promise<void> {
  const queue = queues.queue<{ n: number }>(queueName)
  const from = process.pid * 1_000_000
  await Promise.all(
    Array.from({ length: 20 }, async (_, at) => {
      for (let n = from + at; ; n += 20) say((await queue.add({ id: `j-${n}`, data: { n } })).id)
    }),
  )
}

/** The record has a line when a job begins and one when it ends, or when it was taken over before. */
const handler: JobHandler<{ n: number; ms?: number }> = async ({ data, claim }) => {
  appendFileSync(record, `begin ${data.n} ${process.pid}\n`)
  await pause(data.ms ?? 5)
  await claim().catch((error) => {
    appendFileSync(record, `lost ${data.n} ${process.pid}\n`)
    throw error
  })
  appendFileSync(record, `end ${data.n} ${process.pid}\n`)
  return { outcome: 'done' }
}

queues.work(queueName, handler, { concurrency: 4, onError: (error) => process.stderr.write(`${error.message}\n`) })
say('ready')
if (does === 'add+work') await addWithoutEnd()
