// `bellhop explain` against a scenario in a sandbox: its text, --what-if, and that it only reads.
import { ownFolder } from '../own-folder.ts'
import { bellhopHere as bellhop, refuses } from '../run-here.ts'
import { useScenario } from '../scenario-service.ts'

const service = useScenario({ file: 'scenarios/demo.yml' })
const { write: file } = ownFolder()

const explain = (iid: number, ...flags: string[]) =>
  bellhop(['explain', 'hotel/app', String(iid), ...flags], service.environment)
async function explainJson(iid: number, ...flags: string[]) {
  const { code, out, err } = await explain(iid, '--format', 'json', ...flags)
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out)
}

test('prints each rule as a tree with its first blocker, and the calls, and writes nothing', async () => {
  const { code, out, err } = await explain(1)
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(
    /^hotel\/app!1 · Update left-pad to 1\.1\.0 \(opened, head [0-9a-f]{8}\)\nlink: http\S+\/hotel\/app\/-\/merge_requests\/1\nrules: .*\.bellhop\.yml \([0-9a-f]{8}\)\n/,
  )
  expect(out).toMatch(
    /\n✓ label dependency updates \(\.bellhop\.yml:\d+\) matches now\n {2}✓ changed_files: .*\n {2}→ label: add "dependencies"\n/,
  )
  expect(out).toMatch(
    /\nNot merged: .*pipeline is running; then it merges by rule "merge dependency updates when green"\.\n/,
  )
  expect(out).toContain('\n✗ merge dependency updates when green')
  expect(out).toMatch(/\n {2}✗ pipeline: expected "success", actual "running"; to fix: .*\n/)
  expect(out).toMatch(/\n {2}blocked by: labels: expected any of "dependencies", actual none; to fix: .*\n/)
  expect(out).toContain('\nCalls:\n  mergeRequests.update add_labels="dependencies"\n')
  expect(out).toContain('Earlier actions are unknown here')
  expect((await bellhop(['explain', 'hotel/app!1'], service.environment)).out).toBe(out)
  expect(service.called).toContain('mergeRequests.diffs')
  expect(service.writes()).toEqual([])
})

test('without a number explains the project itself, for an event', async () => {
  const rules = file(
    'tell.yml',
    'rules:\n  - name: tell\n    on: tag_push\n    if: { ref: v1, project_path: hotel/app }\n    then: { notify: { to: team, text: Hello } }\n',
  )
  const flags = ['--rules', rules, '--what-if', 'event=tag_push', '--what-if', 'ref=v1']
  const { code, out, err } = await bellhop(['explain', 'hotel/app', ...flags], service.environment)
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/^hotel\/app \(the project itself\)\n/)
  expect(out).toContain('\nCalls:\n  chat.post to="team" text="Hello"')
  expect(service.writes()).toEqual([])
})

test('--what-if shows the calls with a successful pipeline and another label', async () => {
  const given = ['pipeline=success', 'labels+=dependencies', 'mergeability=mergeable']
  const answer = await explainJson(1, ...given.flatMap((each) => ['--what-if', each]))
  expect(answer).toMatchObject({ what_if: given, mergeRequest: { iid: 1, state: 'opened' } })
  const endpoints = answer.calls.map(({ endpoint }: { endpoint: string }) => endpoint)
  expect(endpoints).toEqual(['mergeRequests.approve', 'mergeRequests.update', 'mergeRequests.accept'])
  expect(answer.rules[1]).toMatchObject({ verdict: 'true', blocker: null })
  expect(service.writes()).toEqual([])
})

test('invalid overrides are all reported with a suggestion, with exit code 2', async () => {
  const { code, out, err } = await bellhop(
    ['explain', 'hotel/app', '1', '--what-if', 'pipline=success', '--what-if', 'draft=yes'],
    service.environment,
  )
  expect([code, out]).toEqual([2, ''])
  expect(err).toBe(
    'bellhop: --what-if "pipline=success": there is no fact "pipline"; did you mean "pipeline"?\n' +
      'bellhop: --what-if "draft=yes": draft: expected true or false, or unknown, found "yes"\n',
  )
})

/** Endpoints of the calls, and what blocks each rule. */
async function decide(iid: number, whatIf: string[] = [], rules?: string) {
  const given = whatIf.flatMap((each) => ['--what-if', each])
  const answer = await explainJson(iid, ...given, ...(rules === undefined ? [] : ['--rules', rules]))
  const blockers = answer.rules.map((each: { blocker: { condition: string } | null }) => each.blocker?.condition)
  return { answer, blockers, calls: answer.calls.map(({ endpoint }: { endpoint: string }) => endpoint) }
}

test('removing a blocking label allows the calls', async () => {
  expect((await decide(2, ['labels+=dependencies'])).blockers).toEqual([undefined, 'labels'])
  const freed = await decide(2, ['labels+=dependencies', 'labels-=hold', 'mergeability=mergeable'])
  expect(freed.calls).toContain('mergeRequests.accept')
})

test('local rules replace those in force, and the time can be overridden', async () => {
  const rules = file(
    'freeze.yml',
    'rules:\n  - name: freeze\n    if: { clock: { from: 2026-12-20, to: 2027-01-02 } }\n    then: { label: { add: freeze } }\n',
  )
  const during = await decide(3, ['now=2026-12-24T10:00Z'], rules)
  expect([during.answer.files, during.calls]).toEqual([[{ path: rules, blob: null }], ['mergeRequests.update']])
  const { answer } = await decide(3, ['now=2026-12-19T23:00Z'], rules)
  expect(answer).toMatchObject({ rules: [{ verdict: 'false' }], changesAt: '2026-12-20T00:00:00.000Z' })
})

test('an event can be given, by a person whose access is read', async () => {
  const rules = file(
    'command.yml',
    'rules:\n  - { name: on request, command: todo, then: { todo: true } }\n  - { name: merge, command: merge, then: { accept: true } }\n',
  )
  const answered = 'mergeRequests.notes.create'
  const afterComment = (by: string, word: string) => decide(3, [`event=note.create by ${by}: @bellhop ${word}`], rules)
  expect((await afterComment('alice', 'todo')).calls).toEqual(['mergeRequests.todo', answered])
  expect((await afterComment('alice', 'merge')).calls).toEqual([answered, 'mergeRequests.accept'])
  // A developer may not merge by a command.
  const refused = await afterComment('renovate-bot', 'merge')
  expect([refused.calls, refused.blockers]).toEqual([[answered], ['command', 'actor_access', undefined]])
  expect((await decide(3, [], rules)).blockers).toEqual(['on', 'on'])
  expect((await explain(3, '--rules', rules, '--what-if', 'event=push by zoe')).err).toContain(
    'there is no user zoe on the service',
  )
})

test('a repository’s file has the repository’s rights', async () => {
  const text = 'rules:\n  - { name: merge, if: { state: opened }, then: { accept: true } }\n'
  const own = await decide(3, ['changed_files+=.bellhop.yml'], file('.bellhop.yml', text))
  expect([own.calls, own.blockers]).toEqual([[], ['accept']])
  const operator = await decide(3, ['changed_files+=.bellhop.yml'], file('operator.yml', text))
  expect(operator.calls).toEqual(['mergeRequests.accept'])
})

test('the label that turns Bellhop off pauses the decision', async () => {
  const { answer } = await decide(1, ['labels+=bellhop::off'])
  expect(answer).toMatchObject({ paused: 'the label bellhop::off is on it', calls: [] })
})

test('an unknown merge request, missing settings and broken rules are one line each', async () => {
  const missing = refuses(1, /^bellhop: There is no merge request hotel\/app!99 that the token’s user can see\.\n$/)
  expect(await explain(99)).toEqual(missing)
  const unset = await bellhop(['explain', 'hotel/app', '1'])
  expect(unset).toEqual(refuses(2, /^bellhop: BELLHOP_SERVICE_URL is missing: .*\n$/))
  const broken = file('broken.yml', 'rules:\n  - name: x\n')
  expect(await explain(1, '--rules', broken)).toEqual(refuses(1, `bellhop: ${broken}:2:5: `))
})
