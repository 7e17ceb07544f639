// Kill -9 of a process that adds and works: nothing acknowledged is lost, and every job runs. Run on each queue.
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openQueues } from '../../../src/queue/open-queue.ts'
import { ownFolder } from '../../cli/own-folder.ts'
import { eventually } from '../../eventually.ts'
import { chances, overlaps, queueProcess, readRecord, type Step } from './queue-processes.ts'

/** Each kill comes so long after the first job ran, at most. */
const killedWithinMs = 400
const lockMs = 1_000

export function crashSuite(url: () => string): void {
  test('kill -9 while adding and in the middle of jobs: nothing acknowledged is lost, everything runs, nothing beside itself', async () => {
    const { folder } = ownFolder()
    const record = join(folder, 'record')
    const seed = randomInt(1_000_000)
    const chance = chances(seed)
    const lane = `crash-${seed}`

    const acknowledged: string[] = []
    for (let round = 0; round < 2; round += 1) {
      const began = readRecord(record).length
      const killed = await queueProcess('add+work', { url: url(), lane, record, lockMs })
      await eventually(() =>
        expect([killed.said().length > 1, readRecord(record).length > began]).toEqual([true, true]),
      )
      await pause(chance() * killedWithinMs)
      acknowledged.push(...(await killed.kill()).filter((line) => line.startsWith('j-')))
    }

    const queue = await openQueues({ url: url(), lockMs })
    const stored = await Promise.all(acknowledged.map((id) => queue.queue(lane).get(id)))
    const lost = stored.filter((job) => job === undefined).length
    const steps = readRecord(record)
    const ended = new Set(steps.filter(({ is }) => is === 'end').map(({ job }) => job))
    const worker = queue.work<{ n: number }>(
      lane,
      async ({ data }) => {
        ended.add(data.n)
        return { outcome: 'done' }
      },
      { concurrency: 20, onError: () => undefined },
    )
    // What a killed process held comes back when its lock has run out.
    await queue.queue(lane).settled({ timeoutMs: 60_000 })
    const { failed } = await queue.queue(lane).counts()
    await worker.stop(1_000)
    await queue.close()

    const ran = acknowledged.filter((id) => ended.has(Number(id.replace('j-', '')))).length
    expect({ lost, ran, failed }).toEqual({ lost: 0, ran: acknowledged.length, failed: 0 })
    // A killed process leaves beginnings without an end; no living one may begin what it runs already.
    expect(besideItself(steps)).toBe(0)
  })

  test('a process that is frozen for twice its lock goes on, runs nothing beside itself, and every job is done once', async () => {
    const { folder } = ownFolder()
    const record = join(folder, 'record')
    const lane = `frozen-${randomInt(1_000_000)}`
    const jobs = [1, 2]
    const before = await openQueues({ url: url(), lockMs })
    for (const n of jobs) await before.queue(lane).add({ id: `j-${n}`, data: { n, ms: 3 * lockMs } })
    await before.close()

    const frozen = await queueProcess('work', { url: url(), lane, record, lockMs })
    await eventually(() => expect(readRecord(record)).toHaveLength(jobs.length))
    frozen.child.kill('SIGSTOP')
    await pause(2 * lockMs)
    frozen.child.kill('SIGCONT')
    const ended = () => new Set(readRecord(record).flatMap(({ is, job }) => (is === 'end' ? [job] : [])))
    await eventually(() => expect(ended().size).toBe(jobs.length))
    await frozen.kill()

    const after = await openQueues({ url: url(), lockMs })
    const worker = after.work(lane, async () => ({ outcome: 'done' as const }), {
      concurrency: 4,
      onError: () => undefined,
    })
    // A run that lost its lock rests before it is tried again.
    await after.queue(lane).settled({ withinMs: 60_000, timeoutMs: 60_000 })
    const counts = await after.queue(lane).counts()
    await worker.stop(1_000)
    await after.close()
    const steps = readRecord(record)
    expect(counts).toMatchObject({ completed: jobs.length, failed: 0 })
    expect(besideItself(steps)).toBe(0)
    expect(steps.flatMap(({ is, job }) => (is === 'end' ? [job] : [])).sort()).toEqual(jobs)
  })
}

/** Runs that began in a process while that very process had not ended the last run of the same job. */
function besideItself(steps: readonly Step[]): number {
  const processes = new Set(steps.map(({ by }) => by))
  return [...processes].reduce((sum, by) => sum + overlaps(steps.filter((step) => step.by === by)), 0)
}
