// Answers to commands: what became of them, why nothing did, and which commands there are.
import { decide } from '../../../src/rules/engine/decide.ts'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import type { Event } from '../../../src/rules/event-types.ts'
import type { Freeze } from '../../../src/rules/language/values/freezes.ts'
import type { DecideInput } from '../../../src/rules/types.ts'
import { alice, mallory, noted, note as noteEvent } from '../over-time.ts'
import {
  answer,
  answers,
  applied,
  decided,
  file,
  input,
  issueRule,
  ofIssue,
  rememberDone,
  rule,
  rules,
  sent,
} from '../world.ts'

const asked = (id = 'd1', more: Partial<Event> = {}) => noteEvent(id, { actor: mallory, ...more })
const note = (body: string, author = mallory, access = 10) => noted(body, access, author)

describe('a command that no rule has', () => {
  const ask = (
    body: string,
    { access = 30, author = 'alice', texts = [rule('{ author: bob }', '{ todo: true }', 'other')] } = {},
  ) =>
    input([file(rules(...texts), { trust: 'repository' })], {
      events: [asked()],
      answers: answers(author === 'alice' ? {} : { author: mallory }, note(body, mallory, access)),
    })
  const notesOf = (given: DecideInput) =>
    sent(decided(given)).flatMap(([endpoint, params]) =>
      endpoint === 'mergeRequests.notes.create' ? [params.body] : [],
    )
  const merge = '  - name: merge\n    command: merge\n    then: { accept: true }\n'

  it('is answered once for a note', () => {
    const first = decided(ask('@bellhop marge'))
    expect(notesOf(ask('@bellhop marge'))).toEqual([
      expect.stringMatching(
        /^No rule here answers to `marge`\. A note with the command `help` lists the commands\.\n\n<!-- /,
      ),
    ])
    const memory = rememberDone(emptyMemory(), first)
    expect(notesOf({ ...ask('@bellhop marge'), memory })).toEqual([])
    // Its own answer was there, and the memory of it is lost.
    expect(notesOf({ ...ask('@bellhop marge'), answers: applied(ask('@bellhop marge').answers, first) })).toEqual([])
  })
  it('is a rule of its own in the decision, which names the command', () => {
    const answer = decided(ask('@bellhop marge')).rules.find(({ file }) => file === '(built in)')
    expect(answer).toMatchObject({
      name: 'command',
      conditions: { condition: 'command', expected: 'one that is answered', actual: '"marge"' },
      actions: [{ action: 'comment', detail: 'answer it' }],
    })
  })
  it('on an issue is one that only rules for merge requests have', () => {
    const close = '  - name: close\n    for: issues\n    command: close\n    then: { close: true }\n'
    const onIssue = (body: string) => {
      const given = { ...ofIssue({}, note(body, mallory, 30)), events: [asked()] }
      return sent(decided(input([file(rules(merge, close), { trust: 'repository' })], given)))
    }
    expect(onIssue('@bellhop merge')).toEqual([
      ['issues.notes.create', { body: expect.stringContaining('No rule here answers to `merge`') }],
    ])
    expect(onIssue('@bellhop close')).toContainEqual(['issues.update', { state_event: 'close' }])
  })
  it('on a confidential issue is neither repeated nor recorded', () => {
    const given = { ...ofIssue({ confidential: true }, note('@bellhop marge', mallory, 30)), events: [asked()] }
    const decision = decided(
      input([file(rules(issueRule('{ command: [clsoe] }', '{ todo: true }', '    on: note.create\n')))], given),
    )
    expect(decision.calls).toMatchObject([{ endpoint: 'issues.notes.create' }])
    expect(JSON.stringify(decision)).not.toContain('marge')
  })
  it('is answered to a guest', () => {
    expect(notesOf(ask('@bellhop marge', { access: 10, author: 'mallory' }))).toHaveLength(1)
  })
  it('is answered although a rule about every note is unknown, whatever of that rule was read', () => {
    const unknown =
      '  - { name: update, on: note.create, if: { version_change: patch, group: none }, then: { todo: true } }\n'
    const { project, ...withoutProject } = ask('@bellhop marge').answers
    const given = ask('@bellhop marge', { texts: [unknown] })
    expect(notesOf(given)).toHaveLength(1)
    expect(notesOf({ ...given, answers: withoutProject })).toHaveLength(1)
    expect(project).toBeDefined()
  })
  it.each([
    ['of a person who is no member', ask('@bellhop marge', { access: 5 })],
    ['of the author, who is no member', ask('@bellhop marge', { access: 5, author: 'mallory' })],
    ['that is why', ask('@bellhop why')],
    ['that a rule has, though this person may not use it', ask('@bellhop merge', { texts: [merge] })],
    ['to somebody else', ask('@someone marge')],
  ])('is not answered: one %s', (_who, given) => {
    expect(notesOf(given).filter((body) => String(body).startsWith('No rule here'))).toEqual([])
  })
})

describe('a command that rules have', () => {
  const merging = (then: string, more = '') => `  - name: on request\n    command: merge\n${more}    then: ${then}\n`
  const told = (text: string, body = '@bellhop merge', { access = 40, state = {}, ...more }: Told = {}) => {
    const given = input([file(rules(text), { trust: 'repository' })], {
      events: [asked()],
      answers: answers(state, note(body, mallory, access)),
      ...more,
    })
    return sent(decided(given)).flatMap(([endpoint, params]) =>
      endpoint === 'mergeRequests.notes.create' ? [String(params.body).replace(/\n\n<!--.*/, '')] : [],
    )
  }
  type Told = { access?: number; state?: Parameters<typeof answers>[0] } & Partial<DecideInput>

  it('is answered with what it does', () => {
    expect(told(merging('{ label: { add: wanted } }'))).toEqual([expect.stringMatching(/^`merge`: add "wanted"\.$/)])
  })
  it('of somebody whose role is too low is answered with the role that it takes', () => {
    expect(told(merging('{ accept: true }'), '@bellhop merge', { access: 30 })).toEqual([
      '`merge`: not done: only a maintainer or above may, and you are developer.',
    ])
  })
  it('with other arguments than it takes is answered with its usage, and with its role first', () => {
    const text =
      '  - name: pick\n    command: { word: pick, takes: { to: [one, "v*"] } }\n    then: { comment: "to {{ to }}" }\n'
    const usage = '`pick`: not done: usage: pick TO, where TO is one or v*.'
    expect(told(text, '@bellhop pick two')).toEqual([usage])
    expect(told(text, '@bellhop pick')).toEqual([usage])
    expect(told(text, '@bellhop pick two', { access: 20 })[0]).toMatch(/only a developer or above may/)
    expect(told(text, '@bellhop pick v1.2')[0]).toBe('to v1.2')
    expect(told(text, '@bellhop help')[0]).toContain('`@bellhop pick TO, where TO is one or v*` (developer or above)')
  })
  it('that a condition or the action itself blocks is answered with the reason', () => {
    expect(
      told(merging('{ todo: true }', '    if: { draft: false }\n'), '@bellhop merge', { state: { draft: true } }),
    ).toEqual([expect.stringMatching(/^`merge`: not done: draft is true\.$/)])
    expect(
      told(merging('{ accept: true }'), '@bellhop merge', { state: { draft: true, work_in_progress: true } }),
    ).toEqual([
      expect.stringMatching(/^`merge`: not done: .*draft.*\. It is done once that changes, unless somebody pushes\.$/),
    ])
  })
  it('is answered with all that blocks it, also what no verdict needed', () => {
    const given = (text: string) =>
      input([file(rules(text), { trust: 'repository' })], {
        events: [asked()],
        answers: answers(
          { draft: true, work_in_progress: true, head_pipeline: undefined },
          note('@bellhop merge', mallory, 40),
        ),
      })
    const needsOf = (text: string, ...without: string[]) => {
      const { answers: all, ...more } = given(text)
      return decide({
        ...more,
        answers: Object.fromEntries(Object.entries(all).filter(([name]) => !without.includes(name))),
      })
    }
    const unmatched = merging('{ todo: true }', '    if: { draft: false, commits_count: 3 }\n')
    expect(needsOf(unmatched, 'commits')).toEqual({ needs: ['commits'] })
    expect(needsOf(merging('{ accept: true }'), 'pipelines')).toEqual({ needs: ['pipelines'] })
  })
  it('is answered where Bellhop is turned off, with the reason', () => {
    const off = { offLabel: 'off', state: { labels: ['off'] } }
    expect(told(merging('{ todo: true }'), '@bellhop merge', off)).toEqual([
      '`merge`: not done: the label off is on it.',
    ])
  })
  it('is not held by the new-rule limit', () => {
    const newRuleLimit = { perHour: 1, newRules: ['.bellhop.yml#on request'], full: { accept: '2026-01-11T00:20:00Z' } }
    expect(told(merging('{ accept: true }'), '@bellhop merge', { newRuleLimit })).toEqual([
      expect.not.stringContaining('limit'),
    ])
  })
  it('is not edited once it was done', () => {
    const before = (then: string, state = {}) => {
      const given = input([file(rules(merging(then)), { trust: 'repository' })], {
        events: [asked()],
        answers: answers(state, note('@bellhop merge', mallory, 40)),
      })
      const first = decided(given)
      return { ...given, memory: rememberDone(emptyMemory(), first), answers: applied(given.answers, first) }
    }
    expect(sent(decided(before('{ todo: true }')))).toEqual([])
  })
  it('of a rule that only observes has no answer', () => {
    expect(told(merging('{ todo: true }', '    mode: observe\n'))).toEqual([])
  })
  it('is not answered for a rule of the same name in another file', () => {
    const files = [
      file(rules(merging('{ accept: true }')), { trust: 'repository' }),
      file('rules:\n  - { name: on request, on: note.create, then: { subscribe: true } }\n'),
    ]
    const given = input(files, { events: [asked()], answers: answers({}, note('@bellhop merge', mallory, 30)) })
    const body = sent(decided(given)).find(([endpoint]) => endpoint === 'mergeRequests.notes.create')?.[1].body
    expect(body).toMatch(/^`merge`: not done: only a maintainer/)
  })
  it('is listed only if it is a word that a note can have', () => {
    const odd = '  - name: odd\n    on: note.create\n    if: { command: ["`@all`", go] }\n    then: { todo: true }\n'
    const [answered = ''] = told(odd, '@bellhop help')
    expect(answered).toContain('`@bellhop go`')
    expect(answered).not.toContain('@all')
  })
  it('whose rule writes a note itself gets no other', () => {
    expect(told(merging('{ comment: "As you wish." }'))).toEqual(['As you wish.'])
  })
  it.each(['@bellhop help', '@bellhop'])('%s lists the commands, with who may use them', (body) => {
    const text = merging('{ accept: true }') + rule('{ author: alice }', '{ subscribe: true }', 'other')
    const [answered = ''] = told(text, body, { access: 10 })
    expect(answered).toContain('- `@bellhop merge` (maintainer or above): accept, by **on request**')
    expect(answered).toContain('- `@bellhop why`: ')
    expect(answered).not.toContain('other')
  })
  it('of the operator are not listed to those who cannot read his rules', () => {
    const given = input([file(rules(merging('{ accept: true }')), { trust: 'operator' })], {
      events: [asked()],
      answers: answers({}, note('@bellhop help', mallory, 10)),
    })
    const body = String(sent(decided(given))[0]?.[1].body)
    expect(body).toContain('Rules of the operator or of other projects may have more.')
    expect(body).not.toContain('on request')
  })
  it('a hundred of them have one answer, and the same again edit it', () => {
    const body = Array.from({ length: 100 }, (_, at) => `@bellhop word${at}`).join('\n')
    expect(told(merging('{ todo: true }'), body)).toHaveLength(1)
    const given = (id: string, state = answers({}, note('@bellhop merge', mallory, 30))) =>
      input([file(rules(merging('{ accept: true }')), { trust: 'repository' })], {
        events: [asked(id)],
        answers: state,
      })
    const first = decided(given('d1'))
    const again = decided(given('d2', applied(given('d1').answers, first)))
    expect(sent(again).map(([endpoint]) => endpoint)).not.toContain('mergeRequests.notes.create')
  })
})

describe('a freeze', () => {
  // The note is of 2026-01-11T00:00:00Z.
  const at = '2026-01-11T00:00:00Z'
  function say(line: string, { access = 40, internal = false, ...more }: Record<string, unknown> = {}) {
    const body = { id: 17, body: `@bellhop ${line}`, author: alice, system: false, internal }
    const own = { ...noted('', Number(access)), 'note@17': answer(body) }
    const given: Partial<DecideInput> = { events: [noteEvent()], answers: answers({}, own), ...more }
    const { calls } = decided(input([file(rules(rule('{ author: bob }', '{ todo: true }')))], given))
    const [text = ''] = calls.flatMap(({ endpoint, params }) =>
      endpoint === 'mergeRequests.notes.create' ? [String(params.body)] : [],
    )
    const freezes = calls.flatMap(({ to, params }) => (to === 'journal' ? [params.freeze as unknown as Freeze] : []))
    return { said: text.split('\n')[0]?.replaceAll('\u200b', ''), freezes, order: calls.map(({ to }) => to) }
  }

  it.each([
    ['freeze 2h', { until: '2026-01-11T02:00:00.000Z' }, ': frozen until Sun 11 Jan 02:00 UTC.'],
    [
      'freeze until 2026-01-12T09:00Z except hotfix, scope::now because the release, again',
      { until: '2026-01-12T09:00:00.000Z', except: ['hotfix', 'scope::now'], reason: 'the release, again' },
      ', but what has a label of hotfix, scope::now: frozen until Mon 12 Jan 09:00 UTC (the release, again).',
    ],
  ])('%s is done before the answer', (line, freeze, text) => {
    const { said, freezes, order } = say(line)
    expect(freezes).toEqual([{ except: [], by: 'alice', at, ...freeze }])
    expect(said).toBe(`\`freeze\`: nothing merges in this project${text}`)
    expect(order).toEqual(['journal', 'service'])
  })

  it('freeze end ends it', () => {
    const freeze: Freeze = { until: '2026-01-12T00:00:00Z', except: [], by: 'bob', at: '2026-01-10T00:00:00Z' }
    const { said, freezes } = say('freeze end', { freeze })
    expect(freezes).toEqual([{ until: at, except: [], by: 'alice', at }])
    expect(said).toBe('`freeze`: the freeze is over.')
  })

  it('what was frozen or ended since is not changed once more', () => {
    for (const since of [at, '2026-01-11T00:00:01Z']) {
      const { said, freezes } = say('freeze 2h', { freeze: { until: since, except: [], by: 'bob', at: since } })
      expect(freezes).toEqual([])
      expect(said).toMatch(
        since === at ? /nothing merges in this project/ : /not done: somebody began or ended a freeze/,
      )
    }
  })

  it.each([
    ['freeze', {}, /must end after now and within a year/],
    ['freeze because the release', {}, /must end after now and within a year/],
    ['freeze until the release', {}, /must end after now and within a year/],
    ['freeze 2h', { access: 30 }, /only a maintainer or above may/],
    ['freeze end', { access: 30 }, /only a maintainer or above may/],
    ['freeze 2h because secret', { internal: true }, /that everybody may read/],
    ['freeze 2h', { withoutServer: true }, /use `freeze:` in the rules/],
    ['freeze end', { withoutServer: true }, /use `freeze:` in the rules/],
  ])('%s (%j) is refused, and says why', (line, given, text) => {
    const { said, freezes } = say(line, given)
    expect(freezes).toEqual([])
    expect(said).toMatch(/^`freeze`: not done: /)
    expect(said).toMatch(text)
    expect(said).not.toContain('secret')
  })
})
