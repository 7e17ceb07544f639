// Of what a merge request depends on, public text names only what every reader may see.
import { awaitedBy } from '../../../src/rules/facts/dependencies.ts'
import { createView, factReading } from '../../../src/rules/facts/reading/fact-view.ts'
import type { SourceAnswers } from '../../../src/rules/types.ts'
import { actualOf } from '../actual.ts'
import { member } from '../private-world.ts'
import { answer, answers, decideRule, file, input, needsOf, refused, rule, rules } from '../world.ts'

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

const dependency = (iid: number, state: string, more: object = {}) =>
  answer({ iid, project_id: 1, state, description: null, ...more })
const web_url = 'https://code.example.com/acme/door/-/merge_requests/7'
const read = (description: string, other: SourceAnswers = {}, fact = 'depends_on_open: { none: "*" }') =>
  actualOf(fact, { description, web_url }, other)
const merged = (description: string, other: SourceAnswers = {}) => read(description, other, 'dependencies_merged: true')

const two = { 'dependency@!2': dependency(2, 'opened'), 'dependency@!3': dependency(3, 'merged') }
const openProject = {
  'otherProject@55': answer({ id: 55, visibility: 'public', merge_requests_access_level: 'enabled' }),
}
const elsewhere = { 'dependency@group/app!3': dependency(3, 'opened', { project_id: 55 }), ...openProject }

describe('a dependency', () => {
  it.each<[string, string, SourceAnswers, string, string]>([
    ['nothing', 'Text', {}, 'none', 'true'],
    ['one that is open and one that is merged', 'Depends on !2, !3', two, '"!2"', 'false'],
    ['one that is merged', 'Depends on !3', two, 'none', 'true'],
    ['one that is closed', 'Depends on !2', { 'dependency@!2': dependency(2, 'closed') }, '"!2"', 'false'],
    ['one elsewhere', 'Depends on group/app!3', elsewhere, '"group/app!3"', 'false'],
    [
      'one elsewhere by its address',
      'Depends on https://code.example.com/group/app/-/merge_requests/3',
      elsewhere,
      '"group/app!3"',
      'false',
    ],
  ])('on %s', (_what, description, other, open, all) => {
    expect([read(description, other), merged(description, other)]).toEqual([open, all])
  })

  const cannot = 'unknown: it cannot be seen whether all are merged: '
  it.each<[string, string, SourceAnswers, string]>([
    ['that does not exist', 'Depends on !2', { 'dependency@!2': refused(404) }, '!2'],
    ['that may not be read', 'Depends on !2, !3', { ...two, 'dependency@!2': refused(403) }, '!2'],
    ['that is another one', 'Depends on !2', { 'dependency@!2': dependency(4, 'merged') }, '!2'],
    ['without an iid', 'Depends on !0', {}, '!0'],
    ['of a project that has no name here', 'Depends on app!3', { project: refused(403) }, 'app!3'],
  ])('%s is unknown, and never merged', (_what, description, other, named) => {
    expect(merged(description, other)).toBe(`${cannot}${named}`)
    expect(read(description, other)).toBe(`none (and more: not to be seen: ${named})`)
    const { rules, calls } = decideRule('{ depends_on_open: { none: "*" } }', '{ subscribe: true }', {
      answers: answers({ description, web_url }, other),
    })
    expect([rules[0]?.verdict, calls]).toEqual(['unknown', []])
  })

  it('beyond the tenth is unknown', () => {
    const all = Array.from({ length: 11 }, (_, index) => index + 20)
    const other = Object.fromEntries(all.map((iid) => [`dependency@!${iid}`, dependency(iid, 'merged')]))
    expect(merged(`Depends on ${all.map((iid) => `!${iid}`).join(' ')}`, other)).toBe(
      `${cannot}more than 10 merge requests`,
    )
  })

  it('is read only where a description names it, one call for each', () => {
    const needs = (description: string | null, other: SourceAnswers = {}) => {
      const { blocks: _blocks, project: _project, ...given } = answers({ description, web_url })
      return needsOf('{ dependencies_merged: true }', '{ subscribe: true }', { ...given, ...other })
    }
    expect(needs(null)).toEqual(['blocks'])
    expect(needs('Depends on !2')).toEqual(['dependency@!2'])
    expect(needs('Depends on group/app!2')).toEqual(['project'])
    expect(needs('Depends on !3', two)).toEqual(['blocks'])
  })

  it.each([[['x']], [7]])('of the description %j is unknown', (description) => {
    expect(actualOf('dependencies_merged: true', { description })).toMatch(/^unknown: the description/)
  })
})

describe('what the service itself lists', () => {
  const block = (iid: number, state: string, project_id = 1) => ({
    id: iid,
    blocking_merge_request: { iid, state, project_id, references: { full: `group/app!${iid}` } },
  })
  it.each<[string, unknown, string, string]>([
    ['nothing', [], 'none', 'true'],
    ['merged', [block(4, 'merged')], 'none', 'true'],
    ['open', [block(4, 'opened'), block(5, 'opened', 55)], '"!4", "group/app!5"', 'false'],
    [
      'hidden',
      [{ id: 1 }],
      'none (and more: not to be seen: one that the hosting service lists, and does not show its author)',
      '',
    ],
  ])('counts: %s', (_what, blocks, open, all) => {
    const other = { blocks: answer(blocks), ...openProject }
    expect(read('', other)).toBe(open)
    expect(merged('', other)).toContain(all)
  })
  it('counts once with what the description says', () => {
    expect(read('Depends on !2', { ...two, blocks: answer([block(2, 'opened')]) })).toBe('"!2"')
  })
  it('is nothing where the service has no such list, and unknown where the list is cut', () => {
    for (const status of [403, 404]) expect(merged('', { blocks: refused(status) })).toBe('true')
    expect(merged('', { blocks: refused(400) })).toMatch(/^unknown/)
    expect(merged('', { blocks: answer([], false) })).toMatch(/^unknown/)
  })
})

describe('a cycle', () => {
  const says = (iid: number, description: string, state = 'opened') => dependency(iid, state, { description })
  it.each<[string, string, SourceAnswers, string]>([
    ['of one', 'Depends on !7', { 'dependency@!7': says(7, 'Depends on !7') }, '!7 depends on !7'],
    ['of two', 'Depends on !2', { 'dependency@!2': says(2, 'Depends on !7') }, '!7 depends on !2, which depends on !7'],
    [
      'of three, through another project',
      'Depends on group/app!2',
      {
        'dependency@group/app!2': says(2, 'Depends on !3'),
        'dependency@group/app!3': says(3, 'Depends on acme/door!7'),
      },
      '!7 depends on group/app!2, which depends on group/app!3, which depends on !7',
    ],
  ])('%s is shown, and does not match', (_what, description, other, said) => {
    expect(merged(description, other)).toBe(`false (${said})`)
  })
  it('is not followed beyond what is merged, or further than ten merge requests or five steps', () => {
    expect(merged('Depends on !2', { 'dependency@!2': says(2, 'Depends on !7', 'merged') })).toBe('true')
    const chain = Array.from({ length: 30 }, (_, index) => index + 20)
    const other = Object.fromEntries(chain.map((iid) => [`dependency@!${iid}`, says(iid, `Depends on !${iid + 1}`)]))
    expect(merged('Depends on !20', { ...other, 'dependency@!49': says(49, 'Depends on !7') })).toBe('false')
    const given = answers({ description: 'Depends on !20' }, other)
    for (const iid of [26, 27]) delete given[`dependency@!${iid}`]
    expect(needsOf('{ dependencies_merged: true }', '{ subscribe: true }', given)).toEqual([])
  })
})

describe('in another project', () => {
  const project = (visibility: string, merge_requests_access_level = 'enabled') =>
    answer({ id: 55, visibility, merge_requests_access_level })
  const inProject =
    (visibility: string, access: SourceAnswers[string], level?: string) =>
    (state: string): SourceAnswers => ({
      'dependency@group/app!3': dependency(3, state, { project_id: 55 }),
      'otherProject@55': project(visibility, level),
      'authorAccessIn@55': access,
    })
  const absent = merged('Depends on group/app!3', { 'dependency@group/app!3': refused(404) })
  it.each<[string, ReturnType<typeof inProject>]>([
    ['private', inProject('private', refused(404))],
    ['private, of which its author is a guest', inProject('private', member(10))],
    ['private, whose members are not shown', inProject('private', answer({}))],
    ['internal', inProject('internal', refused(404))],
    ['public, with merge requests for members', inProject('public', refused(404), 'private')],
    ['not to be seen', (state) => ({ ...inProject('private', refused(404))(state), 'otherProject@55': refused(403) })],
  ])('that is %s, it is as one that does not exist', (_what, world) => {
    for (const state of ['opened', 'closed', 'merged']) {
      expect(merged('Depends on group/app!3', world(state))).toBe(absent)
      expect(read('Depends on group/app!3', world(state))).toBe('none (and more: not to be seen: group/app!3)')
      expect(awaited('Depends on group/app!3', world(state))).toEqual([])
    }
    const blocking = { iid: 3, project_id: 55, state: 'opened', references: { full: 'group/app!3' } }
    const given = { ...world('opened'), blocks: answer([{ blocking_merge_request: blocking }]) }
    expect(read('', given)).toContain('and does not show its author')
  })
  it.each<[string, SourceAnswers, 'any' | undefined]>([
    ['its author is a Reporter there', inProject('private', member(20))('opened'), undefined],
    ['the operator allows it', inProject('private', refused(404))('opened'), 'any'],
  ])('that is private, it counts where %s', (_why, other, issues) => {
    const { rules } = decideRule('{ depends_on_open: { any: "group/app!3" } }', '{ subscribe: true }', {
      answers: answers({ description: 'Depends on group/app!3' }, other),
      ...(issues === undefined ? {} : { policy: { mode: 'act', issues } }),
    })
    expect(rules[0]?.verdict).toBe('true')
  })
  it('a private one does not lead to a cycle', () => {
    const hidden = inProject('private', refused(404))('opened')
    const other: SourceAnswers = {
      ...hidden,
      'dependency@!2': dependency(2, 'opened', { description: 'Depends on group/app!3' }),
      'dependency@group/app!3': dependency(3, 'opened', { project_id: 55, description: 'Depends on acme/door!7' }),
    }
    expect(merged('Depends on !2', other)).toBe('false')
  })
})

const awaited = (description: string, other: SourceAnswers) =>
  factReading(input([], { answers: answers({ description }, other) }))(awaitedBy)

it('what counts and is not merged is awaited', () => {
  const found = awaited('Depends on !2, !3, !4, group/app!3', {
    ...two,
    'dependency@!4': refused(404),
    ...elsewhere,
    blocks: answer([{ blocking_merge_request: { iid: 9, project_id: 1, state: 'opened' } }, { id: 3 }, null]),
  })
  expect(found).toEqual([
    { project: 1, iid: 2 },
    { project: 55, iid: 3 },
    { project: 1, iid: 9 },
  ])
})
