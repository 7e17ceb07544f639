// What a merge request waits for: the cause that blocks the first rule that would merge or approve it.
import { describe, expect, it } from 'vitest'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import { waitsFor } from '../../../src/rules/explain/explain.ts'
import type { DecideInput } from '../../../src/rules/types.ts'
import { answer, answers, decided, file, head, input, rule, rules } from '../world.ts'

const merge = (conditions: string, accept = 'true') => rule(conditions, `{ accept: ${accept} }`)
const pipeline = (status: string) => ({ head_pipeline: { id: 1, sha: head, status, ref: 'add-door', source: 'push' } })
const noApproval = { approvals: answer({ approvals_left: 1, approved: false, approved_by: [] }) }

function cause(
  text: string,
  fields: Record<string, unknown> = {},
  other: Parameters<typeof answers>[1] = {},
  changes: Partial<DecideInput> = {},
) {
  const given = input([file(text)], { answers: answers(fields, other), ...changes })
  return waitsFor(given, decided(given))
}

describe('waitsFor', () => {
  it.each([
    ['an approval that a condition asks for', '{ approved: true }', {}, noApproval, 'review'],
    ['a thread', '{ discussions_resolved: true }', { blocking_discussions_resolved: false }, {}, 'review'],
    ['the pipeline that a condition asks for', '{ pipeline: success }', pipeline('running'), {}, 'pipeline'],
    ['the pipeline that only accept asks for', '{ draft: false }', pipeline('running'), {}, 'pipeline'],
    ['a failed pipeline', '{ draft: false }', pipeline('failed'), {}, 'pipeline'],
    ['conflicts', '{ draft: false }', { detailed_merge_status: 'conflict' }, {}, 'conflict'],
    ['a rebase', '{ draft: false }', { detailed_merge_status: 'need_rebase' }, {}, 'conflict'],
    [
      'approvals that only the service asks for',
      '{ draft: false }',
      { detailed_merge_status: 'not_approved' },
      {},
      'review',
    ],
    ['the hours of the rule', '{ clock: { days: [mon] } }', {}, {}, 'freeze'],
    [
      'a conflict behind not',
      '{ not: { has_conflicts: true } }',
      { detailed_merge_status: 'conflict' },
      {},
      'conflict',
    ],
  ] as const)('%s', (_, conditions, fields, other, expected) => {
    expect(cause(rules(merge(conditions)), fields, other)).toBe(expected)
  })

  it.each([
    ['it is a draft', '{ pipeline: success, draft: false }', { ...pipeline('running'), work_in_progress: true }],
    ['a label is missing as well', '{ pipeline: success, labels: [ready] }', pipeline('running')],
    ['it is closed', '{ pipeline: success, state: opened }', { ...pipeline('running'), state: 'closed' }],
    ['the service is still checking', '{ draft: false }', { detailed_merge_status: 'checking' }],
    ['it is merged now', '{ draft: false }', {}],
  ])('nothing where %s', (_, conditions, fields) => {
    expect(cause(rules(merge(conditions)), fields)).toBeUndefined()
  })

  it('nothing where no rule would merge or approve it', () => {
    expect(cause(rules(rule('{ pipeline: success }', '{ subscribe: true }')), pipeline('running'))).toBeUndefined()
  })
  it('nothing where the rule only observes', () => {
    const observed = `mode: observe\n${rules(merge('{ pipeline: success }'))}`
    expect(cause(observed, pipeline('running'))).toBeUndefined()
  })
  it('the first of several causes, in the order of the rule', () => {
    const both = [pipeline('running'), noApproval] as const
    expect(cause(rules(merge('{ all: [{ approved: true }, { pipeline: success }] }')), ...both)).toBe('review')
    expect(cause(rules(merge('{ all: [{ pipeline: success }, { approved: true }] }')), ...both)).toBe('pipeline')
  })
  it('the cause that is known to block, though other conditions were not read', () => {
    const text = rules(merge('{ pipeline: success, changed_files: { all: "docs/**" } }'))
    const { mergeRequest, project } = answers(pipeline('running'))
    const unread = { ...(mergeRequest && { mergeRequest }), ...(project && { project }) }
    const given = input([file(text)], { answers: unread })
    expect(waitsFor(given, decided(given))).toBe('pipeline')
  })
  it('that of the first rule which nothing else blocks', () => {
    const text = rules(
      rule('{ labels: [docs], approved: true }', '{ accept: true }', 'docs'),
      rule('{ pipeline: success }', '{ accept: true }', 'all others'),
    )
    expect(cause(text, pipeline('running'), noApproval)).toBe('pipeline')
  })
  it('that of an alternative which only waits for causes', () => {
    const text = rules(merge('{ any: [{ labels: [urgent] }, { approved: true }] }'))
    expect(cause(text, {}, noApproval)).toBe('review')
  })
  it('an approval that the rule cannot give yet', () => {
    expect(cause(rules(rule('{ pipeline: success }', '{ approve: true }')), pipeline('running'))).toBe('pipeline')
  })
  it('the pipeline, where the service merges it when that succeeds', () => {
    const text = rules(merge('{ draft: false }', '{ when: pipeline_succeeds }'))
    const fields = { ...pipeline('running'), merge_when_pipeline_succeeds: true }
    const memory = {
      ...emptyMemory(),
      of: { accept: { waitingSha: head, waitingTerms: { when: 'pipeline_succeeds' } } },
    }
    expect(cause(text, fields, {}, { memory })).toBe('pipeline')
  })
  it.each([
    [false, 'queue'],
    [true, 'freeze'],
  ])('in a merge queue, frozen %s', (frozen, expected) => {
    const freeze = frozen ? ', freeze: [{ if: { clock: { days: [sun] } } }]' : ''
    const text = `queues: [{ name: main, target: main${freeze} }]\n${rules(merge('{ draft: false }', '{ queue: main }'))}`
    const given = input([file(text)])
    const entered = decided(given).calls[0]?.params
    const memory = { ...emptyMemory(), of: { accept: { queued: entered as never } } }
    expect(entered).toMatchObject({ frozen })
    expect(cause(text, {}, {}, { memory })).toBe(expected)
  })
})
