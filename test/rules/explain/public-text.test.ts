// What a public note tells of rules: nothing of texts, names and messages that some reader may not read.
import type { Action } from '../../../src/rules/actions/definition/action.ts'
import { actions } from '../../../src/rules/actions/index.ts'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import type { Fact } from '../../../src/rules/facts/definition/fact.ts'
import { facts } from '../../../src/rules/facts/index.ts'
import { createView } from '../../../src/rules/facts/reading/fact-view.ts'
import type { RuleFileInForce } from '../../../src/rules/language/values/rule-types.ts'
import type { DecideInput, SourceAnswers } from '../../../src/rules/types.ts'
import { alice, note } from '../over-time.ts'
import { closing, issueAnswers } from '../private-world.ts'
import { answer, decided, file, input, refused, rule, rules } from '../world.ts'

const HIDDEN = '(not shown here: it may be private)'
const asking = { id: 17, body: '@bellhop why', author: alice, system: false }
const asked = note()

const own = (...list: string[]) => file(rules(...list), { trust: 'repository' })
const ofOperator = (...list: string[]) => file(rules(...list), { path: 'rules/acquisition.yml' })
const included = (...list: string[]): RuleFileInForce => ({
  ...file(rules(...list), { trust: 'repository', path: 'secret/project:rules.yml' }),
  origin: { project: 66, path: 'rules.yml' },
})

function why(files: RuleFileInForce[], other: SourceAnswers = {}, more: Partial<DecideInput> = {}): string {
  const given = input(files, {
    answers: { ...issueAnswers([]), 'note@17': answer(asking), ...other },
    events: [asked],
    ...more,
  })
  const body = decided(given).calls.find(({ rules: [key] }) => key?.startsWith('(built in)'))?.params.body
  if (typeof body !== 'string') throw new Error('there is no answer')
  return body
}

describe('the answer to why', () => {
  it('quotes the repository’s own rules', () => {
    expect(why([own(rule('{ labels: [ready] }', '{ subscribe: true }', 'mine'))])).toContain(
      'does not act: **mine** (.bellhop.yml:3): labels must be any of "ready", it is none. To fix: labels with any of "ready".',
    )
  })
  it.each([
    ['of the operator', ofOperator, 'a rule of the operator', '1 rule file of the operator or of other projects'],
    ['of another project', included, 'a rule of another project', '1 rule file of the operator or of other projects'],
  ])('quotes nothing of a rule %s but what was found', (_whose, fileOf, name, files) => {
    const text = why([fileOf(rule('{ labels: [acquisition] }', '{ label: { add: hush } }', 'secret'))])
    expect(text).toContain(`does not act: **${name}**: labels must be what the rule requires, it is none.`)
    expect(text).toContain(`by ${files}.`)
    expect(text).not.toMatch(/acquisition|hush|secret|rules\.yml/)
  })
  it('quotes nothing of a rule of the operator whose file has the same path as the repository’s own', () => {
    const operators = file(rules(rule('{ labels: [acquisition] }', '{ label: { add: hush } }', 'secret')), {
      path: '.bellhop.yml',
    })
    const text = why([operators, own(rule('{ labels: [ready] }', '{ subscribe: true }', 'mine'))])
    expect(text).not.toMatch(/acquisition|hush|secret/)
  })
  it('names the label whose age a rule of the repository needs, and not that of a rule of the operator', () => {
    const waits = rule('{ since: { labelled: { label: acquisition, older_than: 1d } } }', '{ subscribe: true }', 'it')
    expect(why([own(waits)])).toContain('since_labelled acquisition must be older than 1d')
    expect(why([ofOperator(waits)])).toContain('since_labelled must be what the rule requires')
    expect(why([ofOperator(waits)])).not.toContain('acquisition')
  })
  it('tells what a rule of the operator does, and not what it would do', () => {
    const text = (mode: string) =>
      why([ofOperator(rule('{ draft: false }', '{ label: { add: seen } }', 'secret') + mode)])
    expect(text('')).toContain('matches: **a rule of the operator**: label: add "seen".')
    expect(text('    mode: observe\n')).toContain(`matches: **a rule of the operator**: label: ${HIDDEN}.`)
  })
  it('hides the arguments of a rule of the operator that does nothing', () => {
    const text = why([ofOperator(rule('{ draft: false }', '{ milestone: acquisition }'))], {
      'milestone@acquisition': answer([]),
    })
    expect(text).toContain(`milestone must be that it may be done, it is ${HIDDEN}`)
    expect(text).not.toContain('acquisition')
  })
  it('does not name a rule of the operator that came first, or that took something back', () => {
    const first = ofOperator(rule('{ draft: false }', '{ assign: carol }', 'secret'))
    const text = why([first, own(rule('{ draft: false }', '{ assign: null }', 'mine'))])
    expect(text).toContain(`**mine** (.bellhop.yml:3): assign: overruled, ${HIDDEN}`)
    const memory = { ...emptyMemory(), restrained: { approve: { head: 'a'.repeat(40), by: 'rules/gone.yml#secret' } } }
    expect(why([own(rule('{ draft: false }', '{ approve: true }', 'mine'))], {}, { memory })).toContain(
      `approve: overruled, ${HIDDEN}`,
    )
    const named = why([
      own(rule('{ draft: false }', '{ assign: carol }', 'one'), rule('{ draft: false }', '{ assign: null }', 'two')),
    ])
    expect(named).toContain('assign: overruled, the rule .bellhop.yml#one came first')
  })
  it('does not quote what the service says when it refuses', () => {
    const message = 'GET /projects/1/… answered 403: ask the owners of secret/acquisition'
    const files = [
      own(
        rule('{ approvals_left: 0 }', '{ subscribe: true }'),
        rule('{ draft: false }', '{ approve: true }', 'second'),
      ),
    ]
    const text = why(files, { approvals: refused(403, message) })
    expect(text).toContain('approvals_left must be 0, it is unknown: the hosting service does not tell.')
    expect(text).not.toContain('acquisition')
  })
  it('hides a value that only members can read, also where it settles nothing', () => {
    const found = { closesIssues: answer([closing()]), participants: answer([{ id: 3, username: 'undercover' }]) }
    const text = why(
      [own(rule('{ any: [{ closes_issue_labels: [x] }, { participants: [x] }] }', '{ subscribe: true }'))],
      found,
    )
    expect(text).toContain(`it is closes_issue_labels is ${HIDDEN}, participants is ${HIDDEN}`)
    expect(text).not.toMatch(/gold|undercover/)
  })
  it('hides an internal note and the commands in it', () => {
    const files = [
      own('  - name: heard\n    on: note.create\n    if: { comment: x, command: y }\n    then: { subscribe: true }\n'),
    ]
    const body = '@bellhop why\n@bellhop evacuate'
    const access = { 'actorAccess@2': answer({ access_level: 40 }) }
    for (const mark of [{ internal: true }, { confidential: true }, { internal: 'yes' }]) {
      const text = why(files, { ...access, 'note@17': answer({ ...asking, body, ...mark }) })
      expect(text).toContain(`comment must be "x", it is ${HIDDEN}`)
      expect(text).not.toContain('evacuate')
    }
    expect(why(files, { ...access, 'note@17': answer({ ...asking, body, internal: false }) })).toContain('evacuate')
  })
})

describe('a fact that public text may not show', () => {
  const restricted = Object.entries<Fact>(facts as Record<string, Fact>).flatMap(([name, { readPublic }]) =>
    readPublic === undefined ? [] : [name],
  )
  it('is none that an action needs, because its words would tell it', () => {
    const needed = Object.values<Action>(actions).flatMap(({ needs, withdraw }) => [
      ...needs,
      ...(withdraw?.needs ?? []),
    ])
    expect(needed.filter((name) => restricted.includes(name))).toEqual([])
  })
  it('is each that comes from issues, notes or other merge requests, or from people who may have written internal notes', () => {
    expect(restricted.sort()).toEqual([
      ...[
        'closes_issue_labels',
        'closes_issue_titles',
        'closes_issues',
        'command',
        'command_line',
        'comment',
        'dependencies_merged',
      ],
      ...['depends_on_open', 'participants', 'related_merge_requests', 'related_merge_requests_open'],
    ])
  })
  it('is not shown when it is overridden', () => {
    const overrides = [
      { fact: 'closes_issue_titles', is: { is: 'known' as const, value: ['The vault'], complete: true } },
    ]
    expect(createView(input([], { overrides: overrides })).publicFact('closes_issue_titles')).toEqual({
      is: 'absent',
      reason: HIDDEN,
    })
  })
  it('is unknown to a decision that is made for public text', () => {
    const given = { answers: issueAnswers([closing()], { 'authorAccessIn@55': answer({ access_level: 50 }) }) }
    const files = [own(rule('{ closes_issue_titles: { any: "The vault" } }', '{ subscribe: true }'))]
    expect(decided(input(files, given)).rules[0]?.verdict).toBe('true')
    expect(decided(input(files, { ...given, publicOnly: true })).rules[0]?.verdict).toBe('unknown')
  })
  it('costs no further call for a note', () => {
    const { 'authorAccessIn@55': _left, ...rest } = issueAnswers([closing()])
    const given = input([own(rule('{ draft: false }', '{ comment: "{{ closes_issue_titles }}" }'))], { answers: rest })
    expect(decided(given).calls[0]?.params.body).toMatch(/^\(not shown here: it may be private\)\n/)
  })
  it('is not written into a field, also where only a part of it is hidden', () => {
    const files = [
      own(
        '  - name: r\n    on: note.create\n    if: { draft: false }\n    then: { update: { description: "{{ closes_issue_titles }}" } }\n',
      ),
    ]
    const issues = [closing(), closing({ project_id: 1, title: 'The door' })]
    const { rules: all, calls } = decided(
      input(files, { answers: issueAnswers(issues, { 'note@17': answer(asking) }), events: [asked] }),
    )
    expect(calls.filter(({ action }) => action === 'update')).toEqual([])
    expect(all[0]?.actions).toMatchObject([
      { result: 'blocked', detail: expect.stringContaining('closes_issue_titles is unknown') },
    ])
  })
  it('is in the trace that the journal keeps', () => {
    const given = { answers: issueAnswers([closing()], { 'authorAccessIn@55': answer({ access_level: 10 }) }) }
    const files = [own(rule('{ closes_issue_titles: { any: x } }', '{ subscribe: true }'))]
    expect(JSON.stringify(decided(input(files, given)))).toContain('The vault')
  })
})
