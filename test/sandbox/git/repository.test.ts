// Housekeeping packs a repository and loses nothing.
import { expect, test } from 'vitest'
import { collectGarbage } from '../../../src/sandbox/git/repository.ts'
import { openBareWorld } from './bare-world.ts'

test('loose objects end in one pack, and every commit is still there', async () => {
  const { world, make, commit, say } = await openBareWorld()
  await make(1)
  const first = await commit(1, 'refs/heads/master', null, 'one')
  await commit(1, 'refs/heads/master', first, 'two')
  expect(await say(1, 'count-objects', '-v')).toContain('packs: 0')
  await collectGarbage(world, 1)
  const counted = await say(1, 'count-objects', '-v')
  expect(counted).toContain('count: 0')
  expect(counted).toContain('packs: 1')
  expect(await say(1, 'log', '--format=%s', 'master')).toBe('two\none')
})

test('what no ref has any more is kept for now: a push may be under way', async () => {
  const { world, make, commit, say } = await openBareWorld()
  await make(1)
  const lost = await commit(1, 'refs/heads/master', null, 'lost')
  await commit(1, 'refs/heads/master', null, 'kept')
  await collectGarbage(world, 1)
  expect(await say(1, 'cat-file', '-t', lost)).toBe('commit')
})

test('an empty repository is housekept as well', async () => {
  const { world, make, say } = await openBareWorld()
  await make(1)
  await collectGarbage(world, 1)
  expect(await say(1, 'fsck')).not.toContain('error')
})
