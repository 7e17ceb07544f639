// One task at a time for each key.
import { expect, test } from 'vitest'
import { createKeyedMutex } from '../../../src/sandbox/storage/schedule.ts'

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
