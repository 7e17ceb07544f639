// What an event, and what is known of its merge request, state.
import { expect, it } from 'vitest'
import { statedFacts } from '../../../../src/rules/engine/triggers.ts'
import type { Event, MergeRequestRef } from '../../../../src/rules/event-types.ts'
import { issueRef } from '../../../../src/rules/facts/definition/subject-ref.ts'

type Known = Parameters<typeof statedFacts>[2]

const merge = { kind: 'merge_request.merge' }
const pipeline = (status: string) => ({ pipeline: { id: 1, status, sha: 'a' } })

it.each<[string, Record<string, unknown>, Partial<Event>, Known?, MergeRequestRef?]>([
  ['nothing but the number', { iid: 7 }, {}],
  ['the number of an issue', { iid: 7 }, {}, undefined, issueRef(1, 7)],
  ['the status of its pipeline', { iid: 7, pipeline: 'running' }, pipeline('running')],
  ['no status that rules cannot name', { iid: 7 }, pipeline('a new one')],
  ['the target branch', { iid: 7, target_branch: 'main' }, { target: 'main' }],
  [
    'where it comes from, before it was evaluated',
    { iid: 7, source_branch: 'feature', source_project_id: 1, from_fork: false },
    {},
    { origin: { project: 1, branch: 'feature' } },
  ],
  [
    'that it comes from a fork, and its author',
    { iid: 7, source_branch: 'feature', source_project_id: 2, from_fork: true, author: 'alice' },
    {},
    { origin: { project: 2, branch: 'feature', author: 'alice' } },
  ],
  ['that it is merged, once an evaluation knows that it ended', { iid: 7, state: 'merged' }, merge, { ended: true }],
  ['nothing of a merge that no evaluation knows of', { iid: 7 }, merge],
  ['nothing of the state by an event that is no merge', { iid: 7 }, {}, { ended: true }],
])('%s', (_name, expected, event, known = {}, ref = { project: 1, iid: 7 }) => {
  const given = { kind: 'pipeline', actor: {}, at: '2026-01-01T00:00:00Z', ...event }
  expect(statedFacts(given, ref, known)).toEqual(
    Object.entries(expected).map(([fact, value]) => ({ fact, is: { is: 'known', value, complete: true } })),
  )
})
