// A merge is of what was judged (DESIGN §4), whatever happens around it: on the embedded queue.
import { afterAll, beforeAll } from 'vitest'
import { changesSuite } from './changes.suite.ts'
import { commandsSuite } from './commands.suite.ts'
import { acceptFaultsSuite } from './faults.suite.ts'
import { waitingSuite } from './waiting.suite.ts'
import { type MergeWorld, startMergeWorld } from './world.ts'

let world: MergeWorld
beforeAll(async () => {
  world = await startMergeWorld()
})
afterAll(() => world.end())

acceptFaultsSuite(() => world)
changesSuite(() => world)
commandsSuite(() => world)
waitingSuite(() => world)
