// Of what a merge request depends on, public text names only what every reader may see.
import { describe, expect, it } from 'vitest'
import { createView } from '../../../src/rules/facts/reading/fact-view.ts'
import type { SourceAnswers } from '../../../src/rules/types.ts'
import { member, refused } from '../private-world.ts'
import { answer, answers, file, input, rule, rules } from '../world.ts'

const SECRET = 'vault'
const one = (iid: number, project_id: number, state: string, description = '') =>
  answer({ iid, project_id, state, description, title: SECRET })
const project = (visibility: string, merge_requests_access_level?: string) =>
  answer({ id: 55, visibility, merge_requests_access_level })

function valuesOf(other: SourceAnswers, description = `Depends on !2, group/${SECRET}!3`) {
  const given = answers(
    { description },
    { 'dependency@!2': one(2, 1, 'merged'), 'authorAccessIn@55': member(20), ...other },
  )
  const view = createView(input([file(rules(rule('{ draft: false }', '{ subscribe: true }')))], { answers: given }))
  return {
    rules: [view.fact('depends_on_open'), view.fact('dependencies_merged')],
    public: [view.publicFact('depends_on_open'), view.publicFact('dependencies_merged')],
  }
}

describe('public text', () => {
  const name = `dependency@group/${SECRET}!3`
  it.each(['opened', 'merged'])('says nothing of a dependency in a private project that is %s', (state) => {
    const { rules: forRules, public: shown } = valuesOf({
      [name]: one(3, 55, state),
      'otherProject@55': project('private', 'enabled'),
    })
    expect(forRules[1]).toMatchObject({ is: 'known', value: state === 'merged' })
    expect(JSON.stringify(shown)).not.toContain(SECRET)
    expect(shown).toMatchObject([{ value: [], complete: false, missing: expect.any(String) }, { is: 'absent' }])
    const missing = valuesOf({ [name]: refused(404), 'otherProject@55': project('private') }).public
    expect(shown).toEqual(missing)
  })
  it.each<[string, SourceAnswers]>([
    ['internal', { 'otherProject@55': project('internal', 'enabled') }],
    ['for members only', { 'otherProject@55': project('public', 'private') }],
    ['not to be read', { 'otherProject@55': refused(404) }],
    ['silent about it', { 'otherProject@55': project('public') }],
  ])('says nothing of one in a project that is %s', (_what, other) => {
    const { public: shown } = valuesOf({ [name]: one(3, 55, 'opened'), ...other })
    expect(JSON.stringify(shown)).not.toContain(SECRET)
  })
  it('names one in a public project, and in its own', () => {
    const { rules: forRules, public: shown } = valuesOf({
      'dependency@!2': one(2, 1, 'opened'),
      [name]: one(3, 55, 'opened'),
      'otherProject@55': project('public', 'enabled'),
    })
    expect(shown).toEqual(forRules)
    expect(shown[0]).toEqual({ is: 'known', value: ['!2', `group/${SECRET}!3`], complete: true })
  })
  it('shows a cycle in the project alone', () => {
    const own = valuesOf({ 'dependency@!2': one(2, 1, 'opened', 'Depends on !7') }, 'Depends on !2')
    expect(own.public[1]).toMatchObject({ remark: '!7 depends on !2, which depends on !7' })
    const through = {
      'dependency@!2': one(2, 1, 'opened', `Depends on group/${SECRET}!3`),
      [name]: one(3, 55, 'opened', 'Depends on acme/door!7'),
      'otherProject@55': project('private', 'enabled'),
    }
    const { rules: forRules, public: shown } = valuesOf(through, 'Depends on !2')
    expect(JSON.stringify(forRules)).toContain(SECRET)
    expect(JSON.stringify(shown)).not.toContain(SECRET)
  })
})
