// Housekeeping packs a repository and loses nothing.
import { expect, test } from 'vitest'
import { collectGarbage } from '../../../src/sandbox/git/repository.ts'
import { openBareWorld } from './bare-world.ts'

test('unreferenced objects are kept: a push may be under way', async () => {
  const { world, make, commit, say } = await openBareWorld()
  await make(1)
  const lost = await commit(1, 'refs/heads/master', null, 'lost')
  await commit(1, 'refs/heads/master', null, 'kept')
  await collectGarbage(world, 1)
  expect(await say(1, 'cat-file', '-t', lost)).toBe('commit')
})
