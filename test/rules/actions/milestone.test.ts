// milestone: by title, or none; one that is not there is blocked.
import { decide as decide_ } from '../../../src/rules/engine/decide.ts'
import type { SourceAnswer } from '../../../src/rules/types.ts'
import { answer, answers, decideRule, file, input, problemsIn, refused, rule, rules, sent } from '../world.ts'

const decide = (args: string, fields = {}, other = {}) =>
  decideRule('{ state: opened }', `{ milestone: ${args} }`, {
    answers: answers(fields, other),
  })
const first = { id: 4, title: '17.0' }

describe('milestone', () => {
  it.each([
    ['of that title', '"17.0"', null, { milestone_id: 4 }],
    ['in the place of another', '"17.0"', { id: 1, title: '16.0' }, { milestone_id: 4 }],
    ['that is none', 'null', first, { milestone_id: 0 }],
  ])('%s', (_what, args, milestone, expected) => {
    expect(sent(decide(args, { milestone }))).toEqual([['mergeRequests.update', expected]])
  })
  it.each([
    ['is there already', '"17.0"', first, 'it is in 17.0 already'],
    ['is none already', 'null', null, 'it is in no milestone'],
  ])('that %s is no call', (_what, args, milestone, detail) => {
    const decision = decide(args, { milestone })
    expect(decision.calls).toEqual([])
    expect(decision.rules[0]?.actions[0]).toEqual({ action: 'milestone', result: 'nothing_to_do', detail })
  })
  it.each<[string, SourceAnswer, string]>([
    ['there is none of that title', answer([]), 'there is no milestone v9'],
    ['only others are like it', answer([{ id: 8, title: 'V9' }, null, { title: 'v9' }]), 'there is no milestone v9'],
    ['the milestones cannot be read', refused(403), 'the milestones cannot be read'],
  ])('is blocked where %s', (_what, list, detail) => {
    const decision = decide('v9', {}, { 'milestone@v9': list })
    expect(decision.calls).toEqual([])
    expect(decision.rules[0]?.actions[0]).toEqual({ action: 'milestone', result: 'blocked', detail })
  })
  it('of a group is one of the project’s list', () => {
    const decision = decide('v9', {}, { 'milestone@v9': answer([{ id: 6, group_id: 3, title: 'v9' }]) })
    expect(sent(decision)).toEqual([['mergeRequests.update', { milestone_id: 6 }]])
  })
  it('is looked for by one call', () => {
    const text = rules(rule('{ state: opened }', '{ milestone: v9 }'))
    const needs = (other: Record<string, SourceAnswer>) => {
      const { project: _project, ...rest } = answers({}, other)
      const result = decide_(input([file(text)], { answers: rest }))
      return 'needs' in result ? result.needs : []
    }
    expect(needs({})).toEqual(['milestone@v9'])
    expect(needs({ 'milestone@v9': answer([]) })).toEqual([])
    expect(needs({ 'milestone@v9': refused(403) })).toEqual([])
  })
  it('whose title looks like another source is only a title', () => {
    const title = 'a@b@17'
    expect(sent(decide(`"${title}"`, {}, { [`milestone@${title}`]: answer([{ id: 6, title }]) }))).toEqual([
      ['mergeRequests.update', { milestone_id: 6 }],
    ])
  })
  it.each(['17.0', '""', '[a]', 'true'])('%s is no title', (title) => {
    expect(problemsIn(rules(rule('{ state: opened }', `{ milestone: ${title} }`)))).toEqual([
      expect.stringMatching(/^f\.yml:5:24: .*expected the title of a milestone, or null for none, found /),
    ])
  })
})
