// The build of `test: rebase`: what becomes of an entry whose head is already another. No rebase is waited for here.
import type { ContentVerdict } from '../../../src/bot/evaluation/branch-history.ts'
import type { QueueRun } from '../../../src/bot/merge-queue/queue-run.ts'
import { rebaseEntry } from '../../../src/bot/merge-queue/rebase-entry.ts'
import { playService, service } from '../../client/world.ts'
import { bot } from '../../rules/world.ts'
import { makeRun, member, mr } from './run-world.ts'

playService()

const { head } = member(1)
const rebased = 'd'.repeat(40)
const alice = { id: 2, username: 'alice' }
const late = { is: 'late', members: [member(1)], reason: 'not_rebased' }
const leaves = (reason: string) => ({ is: 'untestable', members: [member(1)], reason })

interface Given {
  request?: object
  /** Who pushed it; null: Bellhop has not seen it. */
  by?: object | null
  content?: ContentVerdict
  /** Whether its head is on top of the target as it is. */
  isOnTarget?: boolean
}

/** One run; the service refuses a rebase for good. */
async function build({ request = {}, by = bot, content = 'same', isOnTarget = false }: Given) {
  service()
    .get(mr(1))
    .query(true)
    .reply(200, {
      ...{ iid: 1, state: 'opened', sha: rebased, source_project_id: 7, source_branch: 'one', target_branch: 'main' },
      ...request,
    })
  service()
    .put(`${mr(1)}/rebase`)
    .reply(403, { message: '403 Forbidden' })
  const compared: unknown[] = []
  const pushes = by === null ? [] : [{ from: head, to: rebased, by }]
  const made = makeRun({ isAncestor: async () => isOnTarget }, {
    ...{ journal: { pushes: { list: async () => pushes } }, path: 'group/app' },
    service: {
      compareContent: async (project: unknown, rebase: unknown) => {
        compared.push([project, rebase])
        return content
      },
    },
  } as unknown as Partial<QueueRun>)
  const built = await rebaseEntry(made.run, { do: 'build', attempt: 4, onto: 'c0', members: [member(1)] })
  const ended = 'is' in built ? { built: undefined, found: built } : { built: built.commit, found: undefined }
  return { ...made, compared, ...ended }
}

test('where the target moved during its rebase, it is rebased once more, and nothing waits for its evaluation', async () => {
  const { found, evaluated, compared } = await build({})
  expect([found, evaluated]).toEqual([leaves('rebase_refused'), []])
  expect(compared).toEqual([
    [
      { id: 7, path: 'group/app' },
      { target: 'main', before: head, after: rebased },
    ],
  ])
})

test.each<ContentVerdict>(['same', 'unknown'])('on top of the target it is what is tested: %s', async (content) => {
  expect(await build({ content, isOnTarget: true })).toMatchObject({ built: rebased, found: undefined })
})

test('it leaves where the rebase changed the content, and says so', async () => {
  const { found, built } = await build({ content: 'changed', isOnTarget: true })
  expect([found, built]).toEqual([leaves('content_changed'), undefined])
})

test.each<[string, Given]>([
  ['somebody pushed', { by: alice }],
  ['somebody may have pushed another change', { by: null, content: 'changed' }],
  ['it was merged by hand', { request: { state: 'merged' } }],
  ['it has another target', { request: { target_branch: 'stable' } }],
])('its evaluation decides where %s, and is not waiting for the queue', async (_why, given) => {
  const { found, evaluated, built } = await build({ isOnTarget: true, ...given })
  expect([found, evaluated, built]).toEqual([late, [1], undefined])
})
