// What options of marge-bot become.
import { importMargeBot, optionsIn } from '../../../src/cli/import/marge-bot.ts'

test('options of the configuration file are conditions and settings of the merge queue', () => {
  const given = {
    'auth-token': 'hush',
    batch: true,
    'branch-regexp': 'main|v.*',
    'ci-timeout': '2h',
    embargo: 'Friday',
  }
  const { rules, head, missing } = importMargeBot({ ...given, 'add-tested': false, 'add-part-of': true }, 'marge') ?? {}
  expect(rules).toMatchObject([
    {
      test: { assignees: { any: ['marge'] }, target_branch: { matches: '^(?:main|v.*)' } },
      actions: { accept: { queue: 'main' } },
    },
  ])
  expect(head).toEqual({
    queues: [{ name: 'main', target: '*', batch: { most: 5, wait: '1m' }, land: 'push', timeout: '120m' }],
  })
  expect(missing?.map(({ path }) => path)).toEqual([['embargo'], ['add-part-of']])
  expect(JSON.stringify([rules, head, missing])).not.toContain('hush')
})

test('a command line has the same options, with their places', () => {
  const { value, places } =
    optionsIn('exec marge.app --batch \\\n  --ci-timeout="30min" --embargo "Friday 1pm - Monday"') ?? {}
  expect(value).toEqual({ batch: true, 'ci-timeout': '30min', embargo: 'Friday 1pm - Monday' })
  expect([...(places ?? [])]).toEqual([
    ['batch', 15],
    ['ci-timeout', 27],
    ['embargo', 48],
  ])
  expect(optionsIn('ls --all')).toBeUndefined()
  expect(importMargeBot({ all: true }, 'marge')).toBeUndefined()
})

test.each([
  ['a pattern that ends its group', { 'branch-regexp': 'a)|(?:b' }],
  ['a list', { 'branch-regexp': ['a', 'b'] }],
  ['a mapping', { 'branch-regexp': { toString: 1 } }],
  ['more than a queue waits', { 'ci-timeout': '25h' }],
])('%s cannot be read', (_what, options) => {
  const { rules, missing } = importMargeBot(options, 'marge') ?? {}
  expect(missing).toMatchObject([{ message: expect.stringMatching(/: its value cannot be read$/) }])
  expect(rules?.[0]?.test).not.toHaveProperty('target_branch')
})
