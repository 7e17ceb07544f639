// A merge is of what was evaluated, whatever happens around it.
import { inject } from 'vitest'
import { onRedis } from '../../servers/on-redis.ts'
import { changesSuite } from './changes.suite.ts'
import { acceptFaultsSuite } from './faults.suite.ts'
import { pipelinesSuite } from './pipelines.suite.ts'
import { trainsSuite } from './trains.suite.ts'
import { waitingSuite } from './waiting.suite.ts'
import { type MergeWorld, startMergeWorld } from './world.ts'

onRedis((queueUrl) => {
  let world: MergeWorld
  beforeAll(async () => {
    world = await startMergeWorld(queueUrl())
  })
  afterAll(() => world?.end())
  acceptFaultsSuite(() => world)
  // The others do not depend on the queue.
  if (inject('queueOf') === 'postgres') return
  waitingSuite(() => world)
  changesSuite(() => world)
  trainsSuite(() => world)
  pipelinesSuite(queueUrl)
})
