// Background work: in order, awaited, its failures reported, abandoned at the end. One task at a time for each key.
import { createBackground, createKeyedMutex, deferred } from '../../../src/sandbox/storage/schedule.ts'

function open() {
  const reported: unknown[] = []
  return { background: createBackground((error) => reported.push(error)), reported }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('a task begins after its promise; idle waits for it and for tasks that it starts', async () => {
  const { background } = open()
  const answered = deferred<void>()
  const log: string[] = []
  background.start(answered.promise, async () => {
    log.push('first')
    background.start(Promise.resolve(), async () => {
      await settled()
      log.push('started by the first')
    })
  })
  const idle = background.idle().then(() => log.push('idle'))
  await settled()
  expect(log).toEqual([])
  answered.resolve()
  await idle
  expect(log).toEqual(['first', 'started by the first', 'idle'])
})

test('an error is reported and makes idle reject once; other tasks run', async () => {
  const { background, reported } = open()
  let others = 0
  const broken = new Error('broken')
  background.start(Promise.resolve(), () => Promise.reject(broken))
  background.start(Promise.resolve(), async () => {
    others += 1
  })
  await expect(background.idle()).rejects.toBe(broken)
  expect([reported, others]).toEqual([[broken], 1])
  await background.idle()
  for (const word of ['one', 'two']) background.start(Promise.resolve(), () => Promise.reject(new Error(word)))
  await expect(background.idle()).rejects.toThrow(AggregateError)
})

test('close waits for running tasks, ignores their errors and drops waiting ones', async () => {
  const { background, reported } = open()
  const [answered, ended] = [deferred<void>(), deferred<void>()]
  let begun = false
  background.start(Promise.resolve(), async () => {
    await ended.promise
    throw new Error('its git process was ended')
  })
  background.start(answered.promise, async () => {
    begun = true
  })
  await settled()
  let closed = false
  const closing = background.close().then(() => {
    closed = true
  })
  await settled()
  expect(closed).toBe(false)
  ended.resolve()
  answered.resolve()
  await closing
  expect([begun, reported]).toEqual([false, []])
})

test('tasks of one key run one after the other, also after a failure; other keys do not wait', async () => {
  const serialise = createKeyedMutex()
  const log: string[] = []
  const gate = deferred<void>()
  const first = serialise('a', async () => {
    await gate.promise
    log.push('first')
    throw new Error('broken')
  })
  const second = serialise('a', async () => void log.push('second'))
  await serialise('b', async () => void log.push('other'))
  gate.resolve()
  await expect(first).rejects.toThrow('broken')
  await second
  expect(log).toEqual(['other', 'first', 'second'])
})
