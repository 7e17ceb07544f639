// Several hosting services in one process on the embedded queue.
import { describe } from 'vitest'
import { servicesSuite } from './services.suite.ts'

describe('on the embedded queue', () => {
  servicesSuite(() => undefined)
})
