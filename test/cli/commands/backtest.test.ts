// `bellhop backtest` against a scenario in a sandbox with merged, closed and open merge requests, and issues.
import { createClient } from '../../../src/client/create-client.ts'
import { ownFolder } from '../own-folder.ts'
import { bellhopHere as bellhop, refuses } from '../run-here.ts'
import { useScenario } from '../scenario-service.ts'

const scenario = `
version: 1
users: [{ username: alice }, { username: bellhop, bot: true }]
projects:
  - path: root/app
    members: { alice: maintainer, bellhop: maintainer }
    labels: [documentation, ready]
    files:
      README.md: "# App"
      .bellhop.yml: |
        rules:
          - { name: documentation, if: { changed_files: { all: "docs/**" } }, then: { label: { add: documentation }, todo: true } }
          - { name: merge what is ready, if: { labels: { any: ready }, pipeline: success }, then: { accept: true } }
          - { name: by a word, command: merge, then: { accept: true } }
    merge_requests:
      - { title: Tell how, author: alice, source_branch: how, files: { docs/how.md: "how" }, labels: [ready], pipeline: success, state: merged }
      - { title: Paint it, author: alice, source_branch: paint, files: { src/paint.js: "paint" }, state: closed }
      - { title: Tell why, author: alice, source_branch: why, files: { docs/why.md: "why" }, labels: [ready], pipeline: success }
`
const service = useScenario({ text: scenario })
beforeAll(async () => {
  const { issues } = createClient({ baseUrl: service.sandbox.url, token: service.tokens.alice ?? '' })
  await issues.create({ id: 'root/app', title: 'A door sticks', labels: 'bug' })
  await issues.create({ id: 'root/app', title: 'It was shut', labels: 'bug' })
  await issues.update({ id: 'root/app', issue_iid: 2, state_event: 'close' })
  await issues.create({ id: 'root/app', title: 'The vault is open', confidential: true })
})

const backtest = (...flags: string[]) => bellhop(['backtest', 'root/app', ...flags], service.environment)

/** As JSON, with these rules in place of the project's. */
async function backtestWith(rules: string, ...flags: string[]) {
  const path = ownFolder().write('rules.yml', rules)
  const { code, out, err } = await backtest('--rules', path, '--format', 'json', ...flags)
  expect(code).toBe(0)
  return { answer: JSON.parse(out), out, err }
}

test('prints merge requests, rules, totals and the expected calls, without a progress bar in a pipe, and writes nothing', async () => {
  const { code, out, err } = await backtest()
  expect(code).toBe(0)
  expect(err).toMatch(/^3 merge requests, about \d+ API calls, .* stops after 2000\.\n$/)
  const rows = out.split('\n').map((line) => line.split(/\s*[│|]\s*/).map((cell) => cell.trim()))
  const row = (first: string) =>
    rows
      .find((cells) => cells[1]?.startsWith(first))
      ?.slice(1, -1)
      .join(' | ')
  // The rules that merged it are found. Nothing is done about the closed one: its labels were not those.
  expect(row('root/app!1')).toBe('root/app!1 | merged | Tell how | documentation | label, todo, accept | ')
  expect(row('root/app!2')).toBeUndefined()
  expect(row('root/app!3')).toBe('root/app!3 | opened | Tell why | documentation | label, todo, accept | ')
  expect(out).toMatch(/│ https?:\/\/\S+\/root\/app\/-\/merge_requests\/3 +│/)
  expect(row('documentation')).toBe('documentation (.bellhop.yml) | 2 | 1 | 0 | label 2, todo 2')
  expect(row('merge what is ready')).toBe('merge what is ready (.bellhop.yml) | 2 | 1 | 0 | accept 2')
  expect(row('by a word')).toBe('by a word (.bellhop.yml) |  |  |  | for events: not evaluated')
  expect(out).toContain('\n3 of 3 merge requests evaluated: 3 decided, 0 not.\n')
  expect(service.writes()).toEqual([])
})

test('other rules, fewer merge requests, as JSON', async () => {
  // By whom it is is known, so a rule for another's work is false, whatever else is unknown.
  const other = '  - { name: of bob, if: { draft: false, author: bob }, then: { todo: true } }\n'
  const rules = `rules:\n  - { name: of alice, if: { author: alice, draft: false, state: opened }, then: { todo: true } }\n${other}`
  const { answer } = await backtestWith(rules, '--last', '2')
  expect(answer).toMatchObject({
    found: 2,
    evaluated: 2,
    // Of what was closed, nobody knows whether it was a draft.
    decided: 1,
    unknownFacts: { draft: 1 },
    rules: [
      { rule: 'of alice', matched: 1, notMatched: 0, unknown: 1, actions: { todo: { done: 1, unknown: 0 } } },
      { rule: 'of bob', matched: 0, notMatched: 2, unknown: 0 },
    ],
    mergeRequests: [
      { iid: 3, decided: true },
      { iid: 2, decided: false, rules: [{ unknown: ['draft'] }, { unknown: [] }] },
    ],
  })
  expect(answer.calls.made).toBeLessThanOrEqual(answer.calls.planned)
})

const forIssues = `rules:
  - { name: triage, for: issues, if: { author: alice, state: opened }, then: { label: { add: triage } } }
  - { name: bugs, for: issues, if: { labels: { any: bug } }, then: { todo: true } }
`

test('issues are evaluated where rules are for issues, closed ones by what cannot have changed', async () => {
  const { answer, out, err } = await backtestWith(forIssues)
  expect(err).toMatch(/^3 issues, about/)
  expect(answer).toMatchObject({
    mergeRequests: [
      { iid: 3, subject: 'issue', title: 'a confidential issue', state: 'opened', decided: true },
      { iid: 2, subject: 'issue', title: 'It was shut', state: 'closed', decided: true },
      { iid: 1, subject: 'issue', title: 'A door sticks', state: 'opened', decided: true },
    ],
    unknownFacts: {},
    rules: [
      { rule: 'triage', matched: 3 },
      { rule: 'bugs', matched: 2, notMatched: 1, unknown: 0 },
    ],
  })
  expect(out).not.toContain('vault')
})

test('merge requests are evaluated too where rules are for both', async () => {
  const own = '  - { name: own, if: { author: alice }, then: { todo: true } }\n'
  const { answer, err } = await backtestWith(`${forIssues}${own}`)
  expect(err).toMatch(/^3 merge requests and 3 issues, about/)
  expect(answer.mergeRequests.map(({ subject }: { subject?: string }) => subject)).toEqual([
    ...Array(3).fill(undefined),
    ...Array(3).fill('issue'),
  ])
})

test('stops when --max-calls is used up, and says so', async () => {
  expect((await backtest('--max-calls', '1')).out).toContain(
    '\n1 API call.\nStopped: the limit of 1 API call is used up.\n',
  )
  const { code, out } = await backtest('--max-calls', '6')
  expect(code).toBe(0)
  expect(out).toMatch(
    /\n1 of 3 merge requests evaluated: 1 decided, 0 not\.\n6 API calls\.\nStopped: the limit of 6 API calls is used up\.\n$/,
  )
})

test('wrong usage exits 2, an unknown project 1', async () => {
  expect((await backtest('--last', '0')).code).toBe(2)
  expect(await bellhop(['backtest', 'root/none'], service.environment)).toEqual(
    refuses(1, /^bellhop: There is no project root\/none that the token’s user can see/),
  )
})
