// A pair of connected sockets.
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createConnection } from '../../../src/sandbox/git/connection.ts'

test('many at once each have their own other end, which has read nothing yet', async () => {
  const pairs = await Promise.all(Array.from({ length: 30 }, createConnection))
  for (const [index, { near }] of pairs.entries()) near.end(`for ${index}`)
  expect(pairs.map(({ far }) => far.bytesRead)).toEqual(pairs.map(() => 0))
  expect(await Promise.all(pairs.map(({ far }) => text(far)))).toEqual(pairs.map((_, index) => `for ${index}`))
  for (const { far } of pairs) far.end()
})

test('one end can still speak when the other has ended', async () => {
  const { near, far } = await createConnection()
  near.resume().once('end', () => near.end('answered'))
  far.end('asked')
  expect(await text(far)).toBe('answered')
})
