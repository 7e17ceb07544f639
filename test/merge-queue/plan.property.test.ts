// Whatever happens to a merge queue: it lands only what was tested, comes to rest, and starves nobody.
import fc from 'fast-check'
import { test } from 'vitest'
import { history, live } from './random-history.ts'

test('only tested trees land, from the heads that were requested, and everything lands or leaves once all is green', () => {
  fc.assert(
    fc.property(history, (given) => void live(given)),
    { numRuns: 300 },
  )
})
