// Who pushed to a merge request: by its source branch and project, and by no other.
import { withHistory } from '../../../src/bot/evaluation/branch-history.ts'
import { branchHistory } from '../../../src/bot/evaluation/decide-input.ts'
import type { Journal } from '../../../src/journal/journal.ts'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import { answers, input } from '../../rules/world.ts'
import { testContext } from '../test-context.ts'

const push = { from: null, to: 'a'.repeat(40), by: { username: 'alice' } }

it.each([
  ['its own project', { source_project_id: 1 }, 1],
  ['a fork', { source_project_id: 9 }, 9],
  ['a fork that is gone', { source_project_id: null }, undefined],
  ['a service that does not name the branch', { source_project_id: 1, source_branch: undefined }, undefined],
])('of %s', async (_from, fields, project) => {
  const asked: Parameters<Journal['pushes']['list']>[0][] = []
  const journal = {
    pushes: {
      list: async (branch) => {
        asked.push(branch)
        return [push]
      },
    } as Journal['pushes'],
  }
  const memory = { ...emptyMemory(), pushes: [{ ...push, to: 'b'.repeat(40), by: { username: 'mallory' } }] }
  const given = input([], { memory, answers: answers({ source_branch: 'feature', ...fields }) })
  const after = await withHistory(given, branchHistory(testContext({ journal }), { id: 1, path: 'acme/door' }))
  expect(asked).toEqual(project === undefined ? [] : [{ project, branch: 'feature' }])
  expect(after.memory.pushes).toEqual(project === undefined ? [] : [push])
})

it.each([
  ['the last of them leads to the head', { pushes: [push] }],
  ['the head was evaluated before', { pushes: [], evaluated: { head: 'a'.repeat(40) } }],
])('is known from what the evaluation loaded where %s', async (_why, known) => {
  const pushes: Partial<Journal['pushes']> = { list: () => Promise.reject(new Error('it was read again')) }
  const journal = { pushes: pushes as Journal['pushes'] }
  const body = { source_branch: 'feature', source_project_id: 1, sha: 'a'.repeat(40) }
  const given = input([], { memory: { ...emptyMemory(), ...known }, answers: answers(body) })
  expect(
    (await withHistory(given, branchHistory(testContext({ journal }), { id: 1, path: 'acme/door' }))).memory.pushes,
  ).toEqual(known.pushes)
})
