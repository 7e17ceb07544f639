// The merge request's own fields, as real services and the page of the API send them.
import { describe, expect, it } from 'vitest'
import { answers, decideRule } from '../world.ts'

const found = (fact: string, condition: string, fields: object) =>
  decideRule(`{ ${fact}: ${condition} }`, '{ subscribe: true }', { answers: answers({ ...fields }) }).rules[0]
    ?.conditions.actual
const unsaid = 'unknown: the hosting service does not say'

describe.each([
  [
    'title',
    'x',
    [
      [{ title: 'A' }, '"A"'],
      [{ title: undefined }, unsaid],
      [{ title: 5 }, unsaid],
    ],
  ],
  [
    'description',
    'x',
    [
      [{ description: 'A' }, '"A"'],
      [{ description: null }, '""'],
      [{ description: ['a'] }, unsaid],
    ],
  ],
  [
    'state',
    'opened',
    [
      [{ state: 'opened' }, '"opened"'],
      [{ state: 'reopened' }, '"opened"'],
      [{ state: 'future' }, '"future"'],
      [{ state: null }, unsaid],
    ],
  ],
  [
    'draft',
    'true',
    [
      [{ work_in_progress: true }, 'true'],
      [{ work_in_progress: false }, 'false'],
      [{ draft: true, work_in_progress: false }, 'true'],
      [{ draft: false, work_in_progress: true }, 'false'],
      [{ title: 'Draft: x' }, 'true'],
      [{ title: '[WIP] x' }, 'true'],
      [{ title: '(draft) x' }, 'true'],
      [{ title: 'WIP: x' }, 'true'],
      [{ title: 'Drafting: x' }, 'false'],
      [{ work_in_progress: undefined }, unsaid],
    ],
  ],
  [
    'labels',
    'x',
    [
      [{ labels: ['a', 'b'] }, '"a", "b"'],
      [{ labels: [] }, 'none'],
      [{ labels: undefined }, unsaid],
      [{ labels: 'a' }, unsaid],
      [{ labels: [{ name: 'a' }] }, unsaid],
    ],
  ],
  [
    'milestone',
    'x',
    [
      [{ milestone: { title: '17' } }, '"17"'],
      [{ milestone: null }, 'none'],
      [{ milestone: undefined }, unsaid],
      [{ milestone: {} }, unsaid],
    ],
  ],
  [
    'squash',
    'true',
    [
      [{ squash: true }, 'true'],
      [{ squash: null }, unsaid],
    ],
  ],
  [
    'subscribed',
    'true',
    [
      [{ subscribed: false }, 'false'],
      [{ subscribed: 1 }, unsaid],
    ],
  ],
  [
    'head',
    'x',
    [
      [{ sha: 'abc' }, '"abc"'],
      [{ sha: null }, unsaid],
    ],
  ],
  [
    'upvotes',
    '1',
    [
      [{ upvotes: 3 }, '3'],
      [{ upvotes: '3' }, unsaid],
    ],
  ],
  [
    'user_notes_count',
    '1',
    [
      [{ user_notes_count: 3 }, '3'],
      [{ user_notes_count: undefined }, unsaid],
    ],
  ],
  [
    'downvotes',
    '1',
    [
      [{ downvotes: 0 }, '0'],
      [{ downvotes: null }, unsaid],
    ],
  ],
  [
    'time_estimate',
    '1h',
    [
      [{ time_stats: { time_estimate: 5400 } }, '1h30m'],
      [{ time_stats: { time_estimate: 0 } }, '0m'],
      [{ time_stats: null }, unsaid],
    ],
  ],
  [
    'time_spent',
    '1h',
    [
      [{ time_stats: { total_time_spent: 28_800 } }, '1d'],
      [{ time_stats: {} }, unsaid],
    ],
  ],
  [
    'mergeability',
    'mergeable',
    [
      [{ detailed_merge_status: 'conflict' }, '"conflict"'],
      [{ detailed_merge_status: undefined }, '"can_be_merged"'],
      [{ detailed_merge_status: null }, '"can_be_merged"'],
      [{ merge_status: undefined }, unsaid],
    ],
  ],
] as [string, string, [object, string][]][])('%s', (fact, condition, table) => {
  it.each(table)('of %j is %s', (fields, expected) => {
    expect(found(fact, condition, fields)).toBe(expected)
  })
})
