// Withdrawals, on the embedded queue.
import { describe } from 'vitest'
import { withdrawalsSuite } from './withdrawals.suite.ts'

describe('on the embedded queue', () => {
  withdrawalsSuite(() => undefined)
})
