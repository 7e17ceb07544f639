// Background work: in order, awaited, its failures reported, abandoned at the end. One task at a time for each key.
import { expect, test } from 'vitest'
import { createBackground, createKeyedMutex } from '../../../src/sandbox/storage/schedule.ts'

function open() {
  const reported: unknown[] = []
  return { background: createBackground((error) => reported.push(error)), reported }
}
function signal() {
  let give: () => void = () => undefined
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('a task begins after its promise; idle waits for it and for tasks that it starts', async () => {
  const { background } = open()
  const answered = signal()
  const log: string[] = []
  background.start(answered.given, async () => {
    log.push('first')
    background.start(Promise.resolve(), async () => {
      await settled()
      log.push('started by the first')
    })
  })
  const idle = background.idle().then(() => log.push('idle'))
  await settled()
  expect(log).toEqual([])
  answered.give()
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
  const [answered, ended] = [signal(), signal()]
  let begun = false
  background.start(Promise.resolve(), async () => {
    await ended.given
    throw new Error('its git process was ended')
  })
  background.start(answered.given, async () => {
    begun = true
  })
  await settled()
  let closed = false
  const closing = background.close().then(() => {
    closed = true
  })
  await settled()
  expect(closed).toBe(false)
  ended.give()
  answered.give()
  await closing
  expect([begun, reported]).toEqual([false, []])
})

test('tasks of one key run one after the other, also after a failure; other keys do not wait', async () => {
  const serialise = createKeyedMutex()
  const log: string[] = []
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const first = serialise('a', async () => {
    await gate
    log.push('first')
    throw new Error('broken')
  })
  const second = serialise('a', async () => void log.push('second'))
  await serialise('b', async () => void log.push('other'))
  open()
  await expect(first).rejects.toThrow('broken')
  await second
  expect(log).toEqual(['other', 'first', 'second'])
})
