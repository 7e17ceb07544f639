// What was read of another version of a merge request neither approves nor merges it: on the embedded queue.
import { describe } from 'vitest'
import { judgedHeadSuite } from './evaluated-head.suite.ts'

describe('on the embedded queue', () => {
  judgedHeadSuite(() => undefined)
})
