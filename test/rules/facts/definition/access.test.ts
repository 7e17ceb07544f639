// Access levels as the service's answer about a member says them.
import { accessIn, isOwn } from '../../../../src/rules/facts/definition/access.ts'
import { NOT_SHOWN } from '../../../../src/rules/facts/definition/fact.ts'
import type { FactValue, SourceAnswers } from '../../../../src/rules/types.ts'
import { closing, issueAnswers, member, otherProject, ownProject, titles, visible } from '../../private-world.ts'
import { answer, bot, mergeRequest, refused, verdictOf } from '../../world.ts'

const known = (value: string) => ({ is: 'known', value, complete: true })

it.each([
  [30, known('developer')],
  [50, known('owner')],
  [5, known('minimal')],
  [15, known('planner')],
  // A level between two is of a newer service: neither of them is guessed.
  [25, known('level 25')],
  [-1, { is: 'absent', reason: 'the hosting service does not say' }],
  [undefined, { is: 'absent', reason: 'the hosting service does not say' }],
])('level %j is %j', (access_level, expected) => {
  expect(accessIn({ is: 'read', body: { access_level }, complete: true })).toEqual(expected)
})

const forbidden = { is: 'absent', reason: 'forbidden', status: 403 } as const

it.each([
  [{ is: 'absent', reason: 'not found', status: 404 } as const, known('none')],
  [forbidden, forbidden],
])('%j is %j', (reading, expected) => {
  expect(accessIn(reading)).toEqual(expected)
})

const all: FactValue = { is: 'known', value: ['The vault'], complete: true }
const noneForRules: FactValue = {
  is: 'known',
  value: [],
  complete: false,
  missing: 'issues that its author is not known to see',
}
const noneInPublic: FactValue = { is: 'known', value: [], complete: false, missing: NOT_SHOWN }
const own = (fields: object = {}) => closing({ project_id: ownProject, ...fields })
const other = `otherProject@${otherProject}`
const access = `authorAccessIn@${otherProject}`
const ownAs = (visibility: string, issues_access_level?: string) => ({
  project: answer({ visibility, issues_access_level }),
})

describe('an issue', () => {
  /** Who sees the issue: rules see what its author may see, public text what everybody may see. */
  it.each<[string, object, SourceAnswers, 'everybody' | 'rules' | 'nobody']>([
    ['of the project itself', own(), {}, 'everybody'],
    ['of a private project, of a merge request there', own(), ownAs('private'), 'everybody'],
    ['of an internal project, of a merge request there', own(), ownAs('internal', 'enabled'), 'everybody'],
    ['that only members of the project itself see', own(), ownAs('public', 'private'), 'nobody'],
    ['where the project does not say who sees issues', own(), ownAs('public'), 'nobody'],
    ['of a project that cannot be read', own(), { project: refused(403) }, 'nobody'],
    ['that is confidential', own({ confidential: true }), {}, 'nobody'],
    ['that is confidential, of a guest', own({ confidential: true }), { authorAccess: member(10) }, 'nobody'],
    ['that is confidential, of a reporter', own({ confidential: true }), { authorAccess: member(20) }, 'rules'],
    ['that may be confidential', own({ confidential: undefined }), { authorAccess: member(10) }, 'nobody'],
    [
      'that may be confidential, of a reporter',
      own({ confidential: undefined }),
      { authorAccess: member(20) },
      'rules',
    ],
    ['of another private project', closing(), {}, 'nobody'],
    ['of another private project, of a guest there', closing(), { [access]: member(10) }, 'rules'],
    [
      'that is confidential elsewhere, of a guest there',
      closing({ confidential: true }),
      { [access]: member(10) },
      'nobody',
    ],
    [
      'that is confidential elsewhere, of a reporter there',
      closing({ confidential: true }),
      { [access]: member(20) },
      'rules',
    ],
    ['of another public project', closing(), { [other]: visible('public') }, 'everybody'],
    ['of another internal project', closing(), { [other]: visible('internal') }, 'nobody'],
    ['of another public project for its members only', closing(), { [other]: visible('public', 'private') }, 'nobody'],
    [
      'that is confidential in another public project',
      closing({ confidential: true }),
      { [other]: visible('public') },
      'nobody',
    ],
    ['of another project that cannot be read', closing(), { [other]: refused() }, 'nobody'],
    ['of no project', closing({ project_id: undefined }), {}, 'nobody'],
    ['of a project with a strange id', closing({ project_id: '55/../1' }), {}, 'nobody'],
    ['of another tracker with a title of its own', { id: 'DOOR-3', title: 'The vault' }, {}, 'nobody'],
  ])('%s', (_what, issue, given, expected) => {
    const { forRules, inPublic } = titles([issue], given)
    expect(forRules).toEqual(expected !== 'nobody' ? all : noneForRules)
    expect(inPublic).toEqual(expected === 'everybody' ? all : noneInPublic)
  })
  it('is not seen by Bellhop as an author: who may change its merge requests would see what it sees', () => {
    const mine = { mergeRequest: answer(mergeRequest({ author: bot })), [access]: member(40) }
    expect(titles([closing()], mine).forRules).toEqual(noneForRules)
  })
  it('of another tracker with the title that its key has for everybody', () => {
    const title = 'External Issue DOOR-3'
    expect(titles([{ id: 'DOOR-3', title }]).inPublic).toEqual({ is: 'known', value: [title], complete: true })
  })
  it('counts for rules where the operator allows it, and is still not in public text', () => {
    expect(titles([closing()], {}, { policy: { mode: 'act', issues: 'any' } })).toEqual({
      forRules: all,
      inPublic: noneInPublic,
    })
  })
  it('is asked for only as far as it matters', () => {
    const without = (name: string) => {
      const { [name]: _left, ...rest } = issueAnswers([closing()])
      return { answers: rest }
    }
    const needs = (name: string) => titles([], {}, without(name)).forRules
    expect(needs(other)).toEqual({ is: 'unread', source: other })
    expect(needs(access)).toEqual({ is: 'unread', source: access })
    expect(titles([], {}, without(access)).inPublic).toEqual(noneInPublic)
  })
  it('of a sixth other project is not seen: the projects that are asked for are bounded', () => {
    const projects = [101, 102, 103, 104, 105, 106]
    const open = Object.fromEntries(projects.map((id) => [`otherProject@${id}`, visible('public')]))
    const { forRules } = titles(
      projects.map((id) => closing({ project_id: id, title: `in ${id}` })),
      open,
    )
    expect(forRules).toMatchObject({ value: projects.slice(0, 5).map((id) => `in ${id}`), complete: false })
  })
})

describe('a condition on issues that the author may not see', () => {
  const verdict = (condition: string, issues: unknown[]) => verdictOf(condition, { answers: issueAnswers(issues) })
  it.each([
    ['any', '{ closes_issue_titles: { any: "The vault" } }', [closing()], 'unknown'],
    ['none', '{ closes_issue_titles: { none: "The vault" } }', [closing()], 'unknown'],
    ['all', '{ closes_issue_labels: { all: gold } }', [closing()], 'unknown'],
    ['not', '{ not: { closes_issues: "#12" } }', [closing()], 'unknown'],
    [
      'any, of one that is seen as well',
      '{ closes_issue_titles: { any: "The door" } }',
      [closing(), own({ title: 'The door' })],
      'true',
    ],
  ])('%s', (_what, condition, issues, expected) => {
    expect(verdict(condition, issues)).toBe(expected)
  })
  it('is the same for all facts of issues', () => {
    for (const fact of ['closes_issues', 'closes_issue_titles', 'closes_issue_labels'])
      expect(verdict(`{ ${fact}: { any: "*" } }`, [closing()])).toBe('unknown')
  })
})

it.each([
  [{ id: bot.id }, true],
  [{ username: bot.username }, true],
  [{ id: 2, username: bot.username }, false],
  [{}, false],
])('%j: %s', (actor, its) => {
  expect(isOwn({ actor }, bot)).toBe(its)
})
