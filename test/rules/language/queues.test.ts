// The merge queues of a rule file: their settings, and their mistakes with places.
import { readRules } from '../../../src/rules/language/documents/rule-document.ts'
import { queueName } from '../../../src/rules/language/queues.ts'
import { file, problemsIn, rule, rules } from '../world.ts'

const queuesIn = (text: string) => file(`queues:\n${text}rules: []\n`).rules.queues ?? []
const settings = (more: string) => queuesIn(`  - { name: main, target: main${more} }\n`)[0]

describe('a queue', () => {
  it('has defaults', () => {
    expect(settings('')).toEqual({
      ...{ name: 'main', target: 'main', line: 2, test: 'branch', pipelines: 'branch', land: 'accept' },
      ...{ forks: 'never', retries: 'auto', timeoutMs: 'auto' },
      ...{ speculate: 'auto', batch: { most: 1, waitMs: 0 } },
      ...{ priority: [], freeze: [], required: false, own_pipeline: true },
    })
  })
  it.each([
    [', speculate: 1', { speculate: { least: 1, most: 1 } }],
    [', speculate: { most: 1 }', { speculate: { least: 1, most: 1 } }],
    [', speculate: { least: 12 }', { speculate: { least: 12, most: 'auto' } }],
    [', speculate: { most: 12 }', { speculate: { least: 2, most: 12 } }],
    [', speculate: auto, retries: auto, timeout: auto', { speculate: 'auto', retries: 'auto', timeoutMs: 'auto' }],
    [', land: push, batch: { most: 5, wait: 30s }', { land: 'push', batch: { most: 5, waitMs: 30_000 } }],
    [', retries: 0, timeout: 1h30m', { retries: 0, timeoutMs: 5_400_000 }],
    [', test: rebase', { test: 'rebase', land: 'accept', speculate: { least: 1, most: 1 } }],
    [', test: rebase, land: accept, speculate: 1', { test: 'rebase' }],
    [', pipelines: merge_request', { pipelines: 'merge_request' }],
    [', test: branch, forks: never, required: true', { required: true, forks: 'never' }],
    [', forks: approved', { forks: 'approved' }],
    [', own_pipeline: false', { own_pipeline: false }],
    [', message: "feat: {{ title }} (!{{iid}})"', { message: 'feat: {{ title }} (!{{iid}})' }],
    [', priority: { if: { draft: false }, is: 1, preempts: true }', { priority: [{ is: 1, preempts: true }] }],
    [
      ', priority: { if: { labels: { any: hotfix } }, is: 100 }',
      { priority: [{ if: { fact: 'labels', operator: 'any', expected: ['hotfix'] }, is: 100 }] },
    ],
    [
      ', freeze: [{ if: { draft: false }, except: { author: bob } }]',
      {
        freeze: [
          {
            if: { fact: 'draft', operator: 'equals', expected: false },
            except: { fact: 'author', operator: 'equals', expected: 'bob' },
          },
        ],
      },
    ],
  ])('reads %s', (more, expected) => {
    expect(settings(more)).toMatchObject(expected)
  })
  it('may use named conditions', () => {
    const text = `defs: { urgent: { labels: { any: hotfix } } }\nqueues: { name: main, target: main, freeze: { if: { use: urgent } } }\nrules: []\n`
    expect(file(text).rules.queues?.[0]).toMatchObject({ line: 2, freeze: [{ if: { use: 'urgent' } }] })
  })
})

describe('a mistake in queues', () => {
  const main = '{ name: main, target: main }'
  it.each([
    ['[{ target: main }]', '1:10: queues[0]: expected the key "name", found a mapping without it'],
    ['[{ name: "a b", target: main }]', '1:18: queues[0].name: expected a name of at most 40 letters, digits, - and _'],
    [
      `[${main}, { name: main, target: next }]`,
      '1:48: queues[1].name: expected a name of its own, found the name of the queue in line 1',
    ],
    [
      `[${main}, { name: next, target: main }]`,
      '1:62: queues[1].target: expected a branch with one queue, found "main"',
    ],
    [
      '[{ name: a, target: "r-*" }, { name: b, target: r-1 }]',
      '1:57: queues[1].target: expected a branch with one queue, found "r-1", which has the queue a (line 1)',
    ],
    ['[{ name: a, target: a, batch: { most: 2 } }]', '1:47: queues[0].batch.most: expected 1, or land: push'],
    ['[{ name: a, target: a, priority: { if: { draft: false }, is: high } }]', '1:70: queues[0].priority.is: expected'],
    [
      '[{ name: a, target: a, speculate: { least: 5, most: 3 } }]',
      '1:52: queues[0].speculate.least: expected at most 3',
    ],
    [
      '[{ name: a, target: a, speculate: 21 }]',
      '1:43: queues[0].speculate: expected auto, or a whole number from 1 to 20',
    ],
    ['[{ name: a, target: a, timeout: 30s }]', '1:41: queues[0].timeout: expected auto, or a duration from 1m to 24h'],
    ['[{ name: a, target: " " }]', '1:29: queues[0].target: expected a glob of branch names'],
    ['[{ name: a, target: a, retries: 6 }]', '1:41: queues[0].retries: expected auto, or a whole number from 0 to 5'],
    [
      '[{ name: a, target: a, message: "{{ titel }}" }]',
      '1:41: queues[0].message: expected one line of at most 200 characters, with {{ title }}, {{ iid }} or {{ target_branch }}',
    ],
    [
      '[{ name: a, target: a, priority: { if: { draft: false }, preempts: true } }]',
      '1:42: queues[0].priority: expected the key "is", found a mapping without it',
    ],
    [
      '[{ name: a, target: a, priority: { if: { draft: false }, is: 1, preempts: 1 } }]',
      '1:83: queues[0].priority.preempts: expected true or false',
    ],
    ['[{ name: a, target: a, own_pipeline: 1 }]', '1:46: queues[0].own_pipeline: expected true or false'],
    [
      '[{ name: a, target: a, test: rebase, own_pipeline: false }]',
      '1:60: queues[0].own_pipeline: expected true, as test: rebase',
    ],
    ['[{ name: a, target: a, test: merge }]', '1:38: queues[0].test: expected one of branch, rebase'],
    ['[{ name: a, target: a, test: rebase, land: push }]', '1:52: queues[0].land: expected accept, as test: rebase'],
    ['[{ name: a, target: a, test: rebase, speculate: 2 }]', '1:57: queues[0].speculate: expected 1, as test: rebase'],
    [
      '[{ name: a, target: a, test: rebase, batch: { wait: 1m } }]',
      '1:46: queues[0].batch: expected no batch, as test',
    ],
    ['[{ name: a, target: a, test: rebase, pipelines: merge_request }]', '1:57: queues[0].pipelines: expected branch'],
    ['[{ name: a, target: a, pipelines: fork }]', '1:43: queues[0].pipelines: expected one of branch, merge_request'],
    ['[{ name: a, target: a, forks: all }]', '1:39: queues[0].forks: expected one of never, approved'],
    ['[{ name: a, target: a, freeze: { if: {} } }]', '1:46: queues[0].freeze.if: expected a mapping with at least'],
    [
      '[{ name: a, target: a, freeze: { if: { command: stop } } }]',
      '1:46: queues[0].freeze.if: expected facts that are known without an event, found command',
    ],
  ])('%s is shown with its place', (queues, problem) => {
    expect(problemsIn(`queues: ${queues}\nrules: []\n`)).toEqual([expect.stringContaining(`f.yml:${problem}`)])
  })
  const freeze = (condition: string) =>
    problemsIn(`queues: { name: a, target: a, freeze: { if: ${condition} } }\nrules: []\n`)
  const week = '[mon, tue, wed, thu, fri, sat, sun]'
  it.each([
    `{ clock: { days: ${week} } }`,
    '{ clock: { hours: "00:00-24:00", zone: Europe/Berlin } }',
    '{ clock: [{ days: [mon, tue, wed, thu] }, { days: [fri, sat, sun] }] }',
    '{ clock: { from: 2026-12-20 } }',
    '{ not: { clock: { to: 2026-01-01 } } }',
    '{ author: alice }',
    '{ any: [{ draft: true }, { author: alice }] }',
  ])('freeze: %s never ends', (condition) => {
    expect(freeze(condition)).toEqual([
      expect.stringMatching(/queues\.freeze\.if: expected a freeze that ends.*, found one that may never end/),
    ])
  })
  it.each([
    '{ clock: { days: [fri] } }',
    '{ clock: { hours: "22:00-06:00" } }',
    '{ clock: { from: 2026-12-20, to: 2027-01-06 } }',
    '{ clock: [{ days: [mon, tue, wed, thu, fri] }, { days: [sat] }] }',
    '{ not: { clock: { days: [fri] } } }',
    '{ labels: { any: frozen } }',
    '{ all: [{ author: alice }, { clock: { days: [fri] } }] }',
  ])('freeze: %s ends', (condition) => {
    expect(freeze(condition)).toEqual([])
  })
  it('is a queue that an accept names and its file does not have', () => {
    const accept = rule('{ author: alice }', '{ accept: { queue: mian } }')
    expect(problemsIn(`queues: ${main}\n${rules(accept)}`)).toEqual([
      'f.yml:6:30: rules[0].then.accept.queue: did you mean "main"? Found "mian", expected one of main',
    ])
    expect(problemsIn(rules(accept))).toEqual([])
  })
  it('is a queue in an included file', () => {
    const read = readRules(`queues: ${main}\nrules: []\n`, 'f.yml', { trust: 'repository', included: true })
    expect(read.ok ? [] : read.problems.map(({ message }) => message)).toEqual([
      'expected a file that is not included, found queues in a file that is included itself',
    ])
  })
  it('is a queue together with when', () => {
    expect(problemsIn(rules(rule('{ author: a }', '{ accept: { queue: main, when: checks_pass } }')))).toEqual([
      expect.stringContaining('rules[0].then.accept.when: expected either queue or when, found both'),
    ])
  })
  it('is more conditions than it may have', () => {
    const urgent = (name: string, of: string) => `  ${name}: { all: [${`{ ${of} }, `.repeat(20)}] }\n`
    const defs = `defs:\n${urgent('a', 'draft: false')}`
    const many = Array.from({ length: 20 }, (_, index) => `{ if: { use: a, draft: true }, is: ${index} }`).join(', ')
    const text = (count: number) =>
      `${defs}queues: [${Array.from({ length: count }, (_, index) => `{ name: q${index}, target: b${index}, priority: [${many}] }`).join(', ')}]\nrules: []\n`
    expect(problemsIn(text(1))).toEqual([])
    expect(problemsIn(text(2))).toEqual([expect.stringContaining('queues: expected at most 500 conditions')])
  })
})

test.each(['main', 'release-1_2', 'a'.repeat(40)])('%s is one', (name) => {
  expect(queueName.read(name, [], [])).toBe(name)
})
test.each(['', 'a/b', 'a b', '..', 'a'.repeat(41), 'a\n', 7])('%j is none', (name) => {
  expect(queueName.read(name, [], [])).toBeUndefined()
})
