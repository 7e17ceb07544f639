// notify: once each time a rule becomes true, once for each event, in plain text, and only to the operator's chats.
import { postOf } from '../../../src/rules/actions/definition/action-calls.ts'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import { projectRef } from '../../../src/rules/facts/definition/subject-ref.ts'
import type { DecideInput, Decision } from '../../../src/rules/types.ts'
import { happened, onEvent, overTime, whileOn } from '../over-time.ts'
import {
  answer,
  answers,
  bot,
  decided,
  file,
  input,
  outcomes,
  problemsIn,
  refused,
  rememberAs,
  rememberDone,
  rule,
  rules,
} from '../world.ts'

const notify = (text: string, to = 'team-chat') => `{ notify: { to: ${to}, text: ${JSON.stringify(text)} } }`
const blocked = 'blocked: the operator names no chat team-chat for this project'
const postsIn = ({ calls }: Decision) => calls.filter(({ to }) => to === 'chat').map(postOf)
const textOf = (text: string, fields: Record<string, unknown>, more = {}) =>
  postsIn(
    decided(input([file(rules(rule('{ state: opened }', notify(text))))], { answers: answers(fields, more) })),
  ).map((post) => post.text)

describe('a rule', () => {
  it('posts once while it matches, and again when it becomes true again, as another post', () => {
    const mr = overTime({ labels: ['on'] })
    const text = [whileOn(notify('{{ title }}'))]
    const first = postsIn(mr.turn(text))
    mr.person({ title: 'Another title' })
    expect([first.length, mr.sends(text)]).toEqual([1, []])
    mr.person({ labels: [] })
    mr.turn(text)
    mr.person({ labels: ['on'] })
    const second = postsIn(mr.turn(text))
    expect(second.map(({ text: said }) => said)).toEqual(['Another title'])
    expect(second[0]?.key).not.toBe(first[0]?.key)
  })
  it.each(['ambiguous', 'not_now'] as const)(
    'makes the same post again where it is %s whether it was queued',
    (result) => {
      const given = input([file(rules(whileOn(notify('Hello'))))], { answers: answers({ labels: ['on'] }) })
      const first = decided(given)
      const memory = rememberAs(result, first)
      expect(postsIn(decided({ ...given, memory }))).toEqual(postsIn(first))
      expect(memory.of?.notify).toBeUndefined()
    },
  )
  it('remembers a bounded number of rules', () => {
    const posts = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`f.yml#${at}`, 1]))
    const given = input([file(rules(whileOn(notify('Hello'))))], { answers: answers({ labels: ['on'] }) })
    const after = rememberDone({ ...emptyMemory(), of: { notify: posts } }, decided(given))
    expect(Object.keys(after.of?.notify ?? {})).toHaveLength(100)
    expect(after.of?.notify).toMatchObject({ 'rules/test.yml#the rule': 1 })
  })
})

describe('an event rule', () => {
  const posts = onEvent('push', notify('{{ author }} pushed'))
  it('posts once for each event and each rule', () => {
    const mr = overTime()
    const both = [posts, onEvent('push', notify('Again'), 'another')]
    const two = [happened('push'), happened('push', 'd2')]
    const made = postsIn(mr.turn(both, { events: two }))
    expect(new Set(made.map(({ key }) => key)).size).toBe(4)
    expect(mr.sends(both, { events: two })).toEqual([])
  })
  it('makes the same post again after a crash', () => {
    const given = input([file(rules(posts))], { events: [happened('push')], answers: answers() })
    const first = decided(given)
    const memory = rememberAs('ambiguous', first)
    expect(postsIn(decided({ ...given, memory }))).toEqual(postsIn(first))
  })
})

describe('an event of the project', () => {
  const text = 'rules:\n  - name: tell\n    on: release.create\n    if: { actor: alice }\n    then: '
  const released = (id: string) => happened('release.create', id, { ref: 'v1' })
  const given = (more: Partial<DecideInput> = {}) =>
    input([file(`${text}${notify('{{ ref }} of {{ project_path }} by {{ actor }}')}\n`)], {
      mergeRequest: projectRef(1),
      events: [released('d1')],
      answers: { project: answer({ path_with_namespace: 'acme/door', web_url: 'https://code.example.com/acme/door' }) },
      ...more,
    })
  it('is posted once for each, with the page of the project', () => {
    const first = decided(given({ events: [released('d1'), released('d2')] }))
    expect(postsIn(first)).toMatchObject([
      { text: 'v1 of acme/door by alice', url: 'https://code.example.com/acme/door', merge_request_iid: 0 },
      { text: 'v1 of acme/door by alice' },
    ])
    const memory = rememberDone(emptyMemory(), first)
    expect(decided(given({ memory, events: [released('d1'), released('d2')] })).calls).toEqual([])
    expect(decided(given({ memory, events: [released('d2'), released('d3')] })).calls).toHaveLength(1)
  })
  it('is posted neither for a merge request nor where Bellhop caused it', () => {
    expect(decided(given({ mergeRequest: input([]).mergeRequest, answers: answers() })).rules).toEqual([])
    const own = { id: 'd1', event: { ...released('d1').event, actor: { id: bot.id, username: bot.username } } }
    expect(decided(given({ events: [own] })).calls).toEqual([])
  })
  it('is not posted where the project cannot be read', () => {
    expect(decided(given({ answers: { project: refused(403) } })).rules[0]?.actions[0]).toMatchObject({
      result: 'blocked',
    })
  })
  it('obeys the policy of the operator, and observe mode calls nothing', () => {
    const policy = { mode: 'act' as const, chats: ['other'] }
    expect(outcomes(decided(given({ policy })))).toEqual([blocked])
    const observed = decided(given({ policy: { mode: 'observe' as const } }))
    expect([observed.calls, observed.dryRunCalls?.length]).toEqual([[], 1])
  })
})

describe('the chats of the operator', () => {
  const outcome = (chats: string[] | undefined) => {
    const policy = { mode: 'act' as const, ...(chats === undefined ? {} : { chats }) }
    const given = input([file(rules(rule('{ state: opened }', notify('Hello'))))], { answers: answers(), policy })
    return outcomes(decided(given))
  }
  it('bound what a rule may post to', () => {
    expect(outcome(['other', 'team-chat'])).toEqual(['call: post to the chat team-chat'])
    expect([outcome(['other']), outcome([])]).toEqual([[blocked], [blocked]])
  })
  it('are not known to tests and offline checks', () => {
    expect(outcome(undefined)).toEqual(['call: post to the chat team-chat'])
  })
})

describe('the text', () => {
  it('has each value on one line, cut, and says what is unknown', () => {
    const title = `one\r\ntwo\u0000\u202e${'x'.repeat(1000)}`
    const [said = ''] = textOf('Title: {{ title }}\nMilestone: {{ milestone }}', { title, milestone: 'broken' })
    expect(said.split('\n')).toHaveLength(2)
    expect(said).toMatch(/^Title: one two xxx/)
    expect(said).toMatch(/…\nMilestone: \(unknown\)$/)
    expect(said.length).toBeLessThan(400)
  })
  it('says only what every reader of the merge request may read', () => {
    const issue = (confidential: boolean, title: string) => ({
      ...{ id: 1, iid: 1, project_id: 1, title, confidential, labels: [], web_url: '', state: 'opened' },
    })
    const closesIssues = answer([issue(true, 'a secret'), issue(false, 'an open one')])
    const [said = ''] = textOf('{{ closes_issue_titles }}', {}, { closesIssues })
    expect(said).not.toContain('a secret')
    expect(said).toContain('not shown here')
  })
  it('names the page of the merge request', () => {
    const made = decided(input([file(rules(rule('{ state: opened }', notify('Hello'))))], { answers: answers() }))
    expect(postsIn(made)[0]?.url).toBe('https://code.example.com/acme/door/-/merge_requests/7')
  })
})

it.each([
  [
    'without to',
    '{ notify: { text: Hello } }',
    '5:21: rules[0].then.notify: expected the key "to", found a mapping without it',
  ],
  [
    'with an address',
    '{ notify: { to: "https://a", text: Hello } }',
    '5:27: rules[0].then.notify.to: expected the name of a chat, of small letters, digits, dots, - and _, found "https://a"',
  ],
  [
    'with an unknown fact',
    '{ notify: { to: a, text: "{{ titel }}" } }',
    '5:36: rules[0].then.notify.text: did you mean "title"? Found "titel", expected the name of a fact between {{ and }}',
  ],
])('in a rule file %s is refused', (_what, then, message) => {
  expect(problemsIn(rules(rule('{ state: opened }', then)))).toEqual([`f.yml:${message}`])
})
