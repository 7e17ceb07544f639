// The head of a branch, wherever git keeps it.
import { describe, expect, test } from 'vitest'
import { branchHead } from '../../../src/sandbox/git/refs.ts'
import { openBareWorld } from './bare-world.ts'

describe('the head of a branch is found', () => {
  test('where it was moved to last, packed away or not', async () => {
    const { world, make, commit, say } = await openBareWorld()
    await make(1)
    const first = await commit(1, 'refs/heads/work/one', null, 'first')
    expect(await branchHead(world, 1, 'work/one')).toBe(first)
    await say(1, 'pack-refs', '--all')
    expect(await branchHead(world, 1, 'work/one')).toBe(first)
    const second = await commit(1, 'refs/heads/work/one', first, 'second')
    expect(await branchHead(world, 1, 'work/one')).toBe(second)
  })

  test('where it is a name for another branch', async () => {
    const { world, make, commit, say } = await openBareWorld()
    await make(1)
    const head = await commit(1, 'refs/heads/main', null)
    await say(1, 'symbolic-ref', 'refs/heads/other', 'refs/heads/main')
    expect(await branchHead(world, 1, 'other')).toBe(head)
  })
})

describe('there is none', () => {
  test('of a branch that is gone, of one that never was, and of the folder of another', async () => {
    const { world, make, commit, remove } = await openBareWorld()
    await make(1)
    const head = await commit(1, 'refs/heads/work/one', null)
    expect(await branchHead(world, 1, 'work')).toBeUndefined()
    expect(await branchHead(world, 1, 'work/one/two')).toBeUndefined()
    await remove(1, 'refs/heads/work/one', head)
    expect(await branchHead(world, 1, 'work/one')).toBeUndefined()
  })

  test.each(['../tags/v1', '../../HEAD', '/etc/hostname', 'refs/heads/main', '', 'a\0b'])('of %j, which is no name', async (name) => {
    const { world, make, commit } = await openBareWorld()
    await make(1)
    const head = await commit(1, 'refs/heads/main', null)
    await world.git.run(`${world.folder}/1.git`, ['update-ref', 'refs/tags/v1', head])
    expect(await branchHead(world, 1, name)).toBeUndefined()
  })
})
