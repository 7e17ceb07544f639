// A merge is of what its own pipeline ran on, on the embedded queue and on a Redis of the tests' own.
import { describe } from 'vitest'
import { onRedis } from '../../on-redis.ts'
import { pipelinesSuite } from './pipelines.suite.ts'

describe('on the embedded queue', () => {
  pipelinesSuite(() => undefined)
})

onRedis(pipelinesSuite)
