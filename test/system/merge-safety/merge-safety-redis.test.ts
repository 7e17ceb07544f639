// A merge is of what was evaluated, whatever happens around it.
import { afterAll, beforeAll } from 'vitest'
import { onRedis } from '../../servers/on-redis.ts'
import { changesSuite } from './changes.suite.ts'
import { commandsSuite } from './commands.suite.ts'
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
  changesSuite(() => world)
  commandsSuite(() => world)
  waitingSuite(() => world)
  trainsSuite(() => world)
  pipelinesSuite(queueUrl)
})
