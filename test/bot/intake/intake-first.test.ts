import { createIntakeFirst } from '../../../src/bot/workers.ts'
import type { JobResult, RunningJob } from '../../../src/queue/types.ts'

const job = {} as RunningJob<unknown>
const done: JobResult = { outcome: 'done' }

/** Deliveries that are read until `end` is called, and evaluations that say when they begin. */
function startBoth() {
  const ends: (() => void)[] = []
  const first = createIntakeFirst()
  const read = first.intake(() => new Promise<JobResult>((resolve) => ends.push(() => resolve(done))))
  const begun = vi.fn(async () => done)
  const evaluate = first.evaluation(begun)
  return {
    begun,
    read: () => void read(job),
    end: async () => {
      ends.shift()?.()
      await vi.advanceTimersByTimeAsync(0)
    },
    evaluate: async () => {
      void evaluate(job)
      await vi.advanceTimersByTimeAsync(0)
    },
  }
}

describe('evaluations while deliveries are read', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('an evaluation begins at once while one delivery is read', async () => {
    const { begun, read, evaluate } = startBoth()
    read()
    await evaluate()
    expect(begun).toHaveBeenCalledOnce()
  })

  it('evaluations wait for the end of a burst', async () => {
    const { begun, read, end, evaluate } = startBoth()
    for (let delivery = 0; delivery < 4; delivery++) read()
    await end()
    await evaluate()
    await evaluate()
    await end()
    await end()
    expect(begun).not.toHaveBeenCalled()
    await end()
    expect(begun).toHaveBeenCalledTimes(2)
  })

  it('an evaluation waits for five seconds at most while deliveries keep coming', async () => {
    const { begun, read, end, evaluate } = startBoth()
    for (let delivery = 0; delivery < 3; delivery++) read()
    await end()
    await evaluate()
    for (let passedMs = 0; passedMs < 6_000; passedMs += 400) {
      if (passedMs < 4_800) expect(begun).not.toHaveBeenCalled()
      read()
      await end()
      await vi.advanceTimersByTimeAsync(400)
    }
    expect(begun).toHaveBeenCalledOnce()
  })

  it('deliveries whose reading is stuck hold up no evaluation for longer than half a second', async () => {
    const { begun, read, end, evaluate } = startBoth()
    for (let delivery = 0; delivery < 3; delivery++) read()
    await end()
    await evaluate()
    await vi.advanceTimersByTimeAsync(501)
    expect(begun).toHaveBeenCalledOnce()
    await evaluate()
    expect(begun).toHaveBeenCalledTimes(2)
  })

  it('a delivery that cannot be read counts as read', async () => {
    const first = createIntakeFirst()
    const read = first.intake(() => Promise.reject(new Error('the journal is away')))
    await Promise.allSettled([read(job), read(job)])
    expect(await first.evaluation(async () => done)(job)).toBe(done)
  })
})
