// A merge is of what was judged (DESIGN §4), whatever happens around it: on the embedded queue.
import { afterAll, beforeAll } from 'vitest'
import { changesSuite } from './merge-safety-changes.suite.ts'
import { commandsSuite } from './merge-safety-commands.suite.ts'
import { acceptFaultsSuite } from './merge-safety-faults.suite.ts'
import { waitingSuite } from './merge-safety-waiting.suite.ts'
import { type MergeWorld, startMergeWorld } from './merge-safety-world.ts'

let world: MergeWorld
beforeAll(async () => {
  world = await startMergeWorld()
})
afterAll(() => world.end())

acceptFaultsSuite(() => world)
changesSuite(() => world)
commandsSuite(() => world)
waitingSuite(() => world)
