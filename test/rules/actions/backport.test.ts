// backport: one step in each evaluation, by what the service has and answered; done once, and never repeated.
import { emptyMemory, remember } from '../../../src/rules/engine/update-memory.ts'
import type { Decision, Memory, SourceAnswers } from '../../../src/rules/types.ts'
import {
  answer,
  answers,
  base,
  bot,
  came,
  decideRule,
  head as judged,
  pickedSha,
  problemsIn,
  refused,
  rememberAs,
  rememberDone,
  rule,
  rules,
  sent,
  stableSha,
} from '../world.ts'

const M = 'd'.repeat(40)
const other = 'e'.repeat(40)
const branch = 'backport/7-to-stable-1.2'
const merged = { state: 'merged', merge_commit_sha: M, diff_refs: { base_sha: base, head_sha: judged } }
const mergeCommit = (...parents: string[]) => ({ [`history@${M}`]: answer([{ id: M, parent_ids: parents }]) })
const head = (id: string, name = branch) => ({ [`branch@${name}`]: answer({ name, commit: { id } }) })
const opened = (fields: object = {}) => {
  const mergeRequest = { iid: 9, source_branch: branch, source_project_id: 1, target_branch: 'stable-1.2', author: bot }
  return { [`mergeRequestsFrom@${branch}`]: answer([{ ...mergeRequest, state: 'opened', sha: pickedSha, ...fields }]) }
}

function decideBackport(given: SourceAnswers = {}, memory: Memory = emptyMemory(), fields = {}, args = '') {
  return decideRule('{ author: alice }', `{ backport: { to: [stable-1.2]${args} } }`, {
    answers: answers({ ...merged, ...fields }, { ...mergeCommit(base, judged), ...given }),
    memory,
  })
}
const traceOf = (decision: Decision) => decision.rules[0]?.actions[0]
const responded = (decision: Decision, memory = emptyMemory(), body?: unknown) =>
  remember(memory, { ...decision, responses: decision.calls.map((call) => came(call, 'done', body)) })
const endpoints = (decision: Decision) => sent(decision).map(([endpoint]) => endpoint)

/** The memory after its branch was made, after that a pick, and after that a merge request. */
const madeBranch = rememberDone(emptyMemory(), decideBackport())
const picked = rememberDone(madeBranch, decideBackport(head(stableSha), madeBranch))
const done = rememberDone(picked, decideBackport(head(pickedSha), picked))

describe('the branches of a backport', () => {
  const check = (command: string, condition: string, to: string) =>
    problemsIn(rules(`  - { name: r${command}, ${condition}then: { backport: { to: ${JSON.stringify(to)} } } }\n`))
  it('may be an argument of the command, and no text that its author chooses', () => {
    expect(check(', command: { word: pick, takes: { to: "v*" } }', '', '{{ to }}')).toEqual([])
    const title = 'if: { title: { matches: "^(?<to>[a-z]+)" } }, '
    expect(check('', title, '{{ to }}')).toEqual([expect.stringContaining('arguments of the command of the rule')])
  })
})

describe('a backport', () => {
  it('makes its branch, picks, and opens a merge request: one call in each evaluation', () => {
    // By the id: a tag may have the name of a branch.
    expect(sent(decideBackport())).toEqual([['repository.branches.create', { branch, ref: stableSha }]])
    const pick = ['repository.commits.cherryPick', { sha: M, branch }]
    expect(sent(decideBackport(head(stableSha), madeBranch))).toEqual([pick])
    const args = ', labels: [backport, "type::fix"]'
    expect(sent(decideBackport(head(pickedSha), picked, {}, args))).toEqual([
      [
        'mergeRequests.create',
        {
          source_branch: branch,
          target_branch: 'stable-1.2',
          title: 'Backport to stable-1.2: Add a door',
          description: 'Backport of !7 to `stable-1.2`. Bellhop cherry-picked it when it was merged.',
          assignee_id: 2,
          labels: 'backport,type::fix',
          remove_source_branch: true,
        },
      ],
    ])
    expect(traceOf(decideBackport({}, done))).toMatchObject({
      result: 'nothing_to_do',
      detail: '!99 is into stable-1.2',
    })
  })
  it('reads nothing more of a target once its merge request is open', () => {
    const decision = decideRule('{ author: alice }', '{ backport: { to: [stable-1.2] } }', {
      answers: { mergeRequest: answers(merged).mergeRequest as never },
      memory: done,
    })
    expect(traceOf(decision)?.result).toBe('nothing_to_do')
  })
  it.each(['opened', 'merged', 'closed'])('without memory, is done where the bot’s merge request is %s', (state) => {
    const decision = decideBackport(opened({ state }))
    expect([sent(decision), traceOf(decision)?.result, traceOf(decision)?.detail]).toEqual([
      [],
      'nothing_to_do',
      '!9 is into stable-1.2',
    ])
  })
  it.each<[string, object]>([
    ['of a fork', { source_project_id: 5 }],
    ['from another branch', { source_branch: 'Backport/7-to-stable-1.2' }],
    ['into another branch', { target_branch: 'production' }],
    ['by somebody else', { author: { id: 5 } }],
  ])('is not done by a merge request %s', (_which, fields) => {
    expect(endpoints(decideBackport(opened(fields)))).toEqual(['repository.branches.create'])
  })
  it('is done by somebody else’s merge request of exactly what it picked', () => {
    const decision = decideBackport({ ...head(pickedSha), ...opened({ author: { id: 5 } }) }, picked)
    expect(traceOf(decision)?.detail).toBe('!9 is into stable-1.2')
  })
  it.each<[string, object, SourceAnswers, string]>([
    ['it is open', { state: 'opened' }, {}, 'it is not merged'],
    ['there is no such branch', {}, { 'branch@stable-1.2': refused() }, 'there is no branch stable-1.2'],
    ['nothing says what was shown', { diff_refs: null }, {}, 'what was merged cannot be read'],
    [
      'the notes cannot be read',
      {},
      { notes: refused(403) },
      'the notes cannot be read, so its own may say that it failed',
    ],
    [
      'the merge requests cannot be listed',
      {},
      { [`mergeRequestsFrom@${branch}`]: refused(403) },
      'the merge requests cannot be listed',
    ],
  ])('is blocked where %s', (_why, fields, given, detail) => {
    const decision = decideBackport(given, emptyMemory(), fields)
    expect([sent(decision), traceOf(decision)]).toMatchObject([[], { result: 'blocked', detail }])
  })
})

describe('a branch that is not what Bellhop made of it', () => {
  const noteOf = (decision: Decision) => String(sent(decision).at(-1)?.[1].body)
  const isLeft = (decision: Decision, ...calls: string[]) => {
    expect(endpoints(decision)).toEqual([...calls, 'mergeRequests.notes.create'])
    expect(noteOf(decision)).toContain(`Bellhop does not know what is on the branch \`${branch}\``)
  }
  it.each([
    ['is there before it is made', other, emptyMemory()],
    ['is there before it is made, where the target is', stableSha, emptyMemory()],
    ['was pushed to before the pick', other, madeBranch],
    ['was pushed to before the merge request', other, picked],
    ['was set back', stableSha, picked],
  ])('that %s gets one note and no merge request', (_what, at, memory) => {
    const first = decideBackport(head(at), memory)
    isLeft(first)
    const notes = { notes: answer([{ id: 1, body: noteOf(first), author: bot, system: false }]) }
    const second = decideBackport({ ...head(at), ...notes }, memory)
    expect([sent(second), traceOf(second)?.result]).toEqual([[], 'blocked'])
    // Where somebody deletes it, it is made anew.
    expect(endpoints(decideBackport(notes, memory))).toEqual(['repository.branches.create'])
  })
  it('is left where the answer to a pick was lost, or tells of another parent', () => {
    const pick = decideBackport(head(stableSha), madeBranch)
    for (const memory of [
      rememberAs('ambiguous', pick, madeBranch),
      responded(pick, madeBranch, { id: pickedSha, parent_ids: [other] }),
      responded(pick, madeBranch, { id: pickedSha, parent_ids: [stableSha, other] }),
    ])
      isLeft(decideBackport(head(pickedSha), memory))
  })
  it('is gone on with where the answer to making it was lost, and it is where it was made', () => {
    const memory = rememberAs('ambiguous', decideBackport())
    expect(endpoints(decideBackport(head(stableSha), memory))).toEqual(['repository.commits.cherryPick'])
    expect(endpoints(decideBackport({}, memory))).toEqual(['repository.branches.create'])
    isLeft(decideBackport(head(other), memory))
  })
  it('has its merge request closed once where that was opened with something else', () => {
    const create = decideBackport(head(pickedSha), picked)
    for (const memory of [responded(create, picked, { iid: 9, sha: other }), rememberAs('ambiguous', create, picked)]) {
      const first = decideBackport({ ...head(other), ...opened({ sha: other }) }, memory)
      isLeft(first, 'mergeRequests.update')
      expect(first.calls[0]?.params).toMatchObject({ merge_request_iid: 9, state_event: 'close' })
      const notes = { notes: answer([{ id: 1, body: noteOf(first), author: bot, system: false }]) }
      expect(sent(decideBackport({ ...head(other), ...opened({ sha: other }), ...notes }, memory))).toEqual([])
    }
  })
  it('is no matter where the answer of opening was lost, and the merge request is of what was picked', () => {
    const memory = rememberAs('ambiguous', decideBackport(head(pickedSha), picked), picked)
    expect(traceOf(decideBackport({ ...head(pickedSha), ...opened() }, memory))?.detail).toBe('!9 is into stable-1.2')
  })
})

describe('a change that does not apply', () => {
  const failed = rememberAs('not_now', decideBackport(head(stableSha), madeBranch), madeBranch)
  it('gets one note with the commands, and its branch is removed', () => {
    const calls = sent(decideBackport(head(stableSha), failed))
    expect(calls.map(([endpoint]) => endpoint)).toEqual(['repository.branches.delete', 'mergeRequests.notes.create'])
    expect(String(calls[1]?.[1].body)).toContain(`git cherry-pick -x -m 1 ${M}`)
    expect(endpoints(decideBackport({}, failed))).toEqual(['mergeRequests.notes.create'])
  })
  it('is not one that another rule had picked just before', () => {
    const pick = decideBackport(head(stableSha), madeBranch)
    const [call] = pick.calls
    const responses = call === undefined ? [] : [came(call), came(call, 'not_now')]
    const memory = remember(madeBranch, { ...pick, responses })
    expect(endpoints(decideBackport(head(pickedSha), memory))).toEqual(['mergeRequests.create'])
  })
  it('does not remove a branch that somebody pushed to', () => {
    expect(endpoints(decideBackport(head(other), failed))).toEqual(['mergeRequests.notes.create'])
  })
  it('is not tried again while its note is there, also without memory', () => {
    const [, note] = sent(decideBackport(head(stableSha), failed))
    const notes = { notes: answer([{ id: 1, body: note?.[1].body, author: bot, system: false }]) }
    for (const memory of [failed, emptyMemory()])
      expect(sent(decideBackport({ ...notes, ...head(stableSha) }, memory))).toEqual([])
  })
  it('does not hold back other branches', () => {
    const name = 'backport/7-to-next'
    const given = {
      ...mergeCommit(base, judged),
      ...head(other, 'next'),
      ...{ [`mergeRequestsFrom@${name}`]: answer([]), [`branch@${name}`]: refused() },
    }
    const decision = decideRule('{ author: alice }', '{ backport: { to: [stable-1.2, next] } }', {
      answers: answers(merged, given),
      memory: failed,
    })
    expect(endpoints(decision)).toEqual(['mergeRequests.notes.create', 'repository.branches.create'])
  })
})

describe('a backport of several commits', () => {
  const line = { merge_commit_sha: null }
  const history = {
    [`history@${judged}`]: answer([
      { id: judged, parent_ids: [other] },
      { id: other, parent_ids: [base] },
    ]),
  }
  const parts = (file: string) => ({ a_mode: '100644', b_mode: '100644', new_path: file, old_path: file })
  const diff = { ...parts('a.md'), diff: '@@ -1 +1 @@\n-a\n+b\n' }
  const changes = (...list: object[]) => ({ changes: answer({ sha: judged, changes: list }) })
  const second = 'd'.repeat(40)
  const compared = (...diffs: object[]) => ({ [`comparison@${stableSha}..${second}`]: answer({ diffs }) })
  const decideLine = (given: SourceAnswers, memory: Memory) => decideBackport({ ...history, ...given }, memory, line)
  const begun = rememberDone(emptyMemory(), decideLine({}, emptyMemory()))
  const half = rememberDone(begun, decideLine(head(stableSha), begun))
  const whole = responded(decideLine(head(pickedSha), half), half, { id: second, parent_ids: [pickedSha] })

  it('picks them in order', () => {
    expect(sent(decideLine(head(stableSha), begun))).toMatchObject([['repository.commits.cherryPick', { sha: other }]])
    expect(sent(decideLine(head(pickedSha), half))).toMatchObject([['repository.commits.cherryPick', { sha: judged }]])
  })
  it('is opened where they bring what the merge request showed', () => {
    const decision = decideLine({ ...head(second), ...changes(diff), ...compared(diff) }, whole)
    expect(endpoints(decision)).toEqual(['mergeRequests.create'])
  })
  it.each<[string, object[]]>([
    ['another file', [diff, { ...parts('b.md'), diff: '@@ -1 +0,0 @@\n-only there\n', deleted_file: true }]],
    ['another line', [{ ...diff, diff: `${diff.diff}-only there\n` }]],
    ['what cannot be compared', [{ ...diff, diff: 'Binary files a and b differ\n' }]],
    ['less', []],
  ])('is left to people where they bring %s', (_what, diffs) => {
    const decision = decideLine({ ...head(second), ...changes(diff), ...compared(...diffs) }, whole)
    expect(endpoints(decision)).toEqual(['repository.branches.delete', 'mergeRequests.notes.create'])
    expect(String(sent(decision)[1]?.[1].body)).toContain(`git diff --binary ${base} ${judged} | git apply --3way\n`)
  })
  it('is blocked where that cannot be read, or is of another head', () => {
    const unread = { changes: refused(500) }
    expect(traceOf(decideLine({ ...head(second), ...unread, ...compared(diff) }, whole))?.result).toBe('blocked')
    const moved = { changes: answer({ sha: other, changes: [diff] }) }
    expect(endpoints(decideLine({ ...head(second), ...moved, ...compared(diff) }, whole))).not.toContain(
      'mergeRequests.create',
    )
  })
})

it('leaves a change to people that is no line of commits: one note with the commands', () => {
  const history = { [`history@${judged}`]: answer([{ id: judged, parent_ids: [other, base] }]) }
  const decision = decideBackport(history, emptyMemory(), { merge_commit_sha: null })
  const [[endpoint, params] = []] = sent(decision)
  expect([sent(decision).length, endpoint]).toEqual([1, 'mergeRequests.notes.create'])
  expect(String(params?.body)).toContain('its branch has merge commits. By hand:\n```sh\ngit fetch origin &&')
  const notes = { notes: answer([{ id: 1, body: params?.body, author: bot, system: false }]) }
  expect(sent(decideBackport({ ...history, ...notes }, emptyMemory(), { merge_commit_sha: null }))).toEqual([])
})

describe('a backport by labels', () => {
  const from = '{ from_labels: { label: "backport::*", branch: "stable-*", set_by: { members_of: team/release } } }'
  const rita = { id: 5, username: 'rita' }
  const byRita = answer([{ action: 'add', label: { name: 'backport::1.2' }, user: rita }])
  const given = { labelEvents: byRita, 'groupDirectMembers@team/release': answer([{ ...rita, state: 'active' }]) }
  const decideByLabel = (more: SourceAnswers = {}, fields = {}, memory = emptyMemory()) =>
    decideRule('{ author: alice }', `{ backport: ${from} }`, {
      answers: answers(
        { ...merged, labels: ['backport::1.2'], ...fields },
        { ...mergeCommit(base, judged), ...given, ...more },
      ),
      memory,
    })

  it('goes to the branch that the label of a member names, as one that the rule names', () => {
    expect(sent(decideByLabel())).toEqual([['repository.branches.create', { branch, ref: stableSha }]])
    expect(sent(decideByLabel(head(pickedSha), {}, picked))).toMatchObject([
      ['mergeRequests.create', { target_branch: 'stable-1.2' }],
    ])
    expect(traceOf(decideByLabel(opened()))).toMatchObject({ result: 'nothing_to_do', detail: '!9 is into stable-1.2' })
  })
  it('has nothing to do without such a label', () => {
    const decision = decideByLabel({}, { labels: ['bug'] })
    expect(traceOf(decision)).toMatchObject({ result: 'nothing_to_do', detail: 'no label names a branch' })
  })
  it.each<[string, SourceAnswers, string]>([
    [
      'of a stranger',
      { 'groupDirectMembers@team/release': answer([]) },
      'rita set it, and is not a direct member of team/release',
    ],
    ['whose setter is unknown', { labelEvents: refused(403) }, 'who set the labels cannot be read'],
  ])('is blocked by a label %s, and says why', (_who, more, detail) => {
    const decision = decideByLabel(more)
    expect([sent(decision), traceOf(decision)?.result]).toEqual([[], 'blocked'])
    expect(traceOf(decision)?.detail).toContain(detail)
  })
  it('goes to the branches that the rule names, whatever the labels say', () => {
    const decision = decideRule('{ author: alice }', `{ backport: { to: [stable-1.2], ${from.slice(1)} }`, {
      answers: answers(
        { ...merged, labels: ['backport::9'] },
        { ...mergeCommit(base, judged), ...given, labelEvents: answer([]) },
      ),
    })
    expect(sent(decision)).toHaveLength(1)
    expect(traceOf(decision)?.detail).toContain('the label "backport::9" does not count')
  })
})

it.each([
  ['{ to: [] }', /to: expected a list of 1 to 5/],
  ['{ to: ["a b"] }', /expected the name of a branch/],
  ['{ to: ["`id`"] }', /expected the name of a branch/],
  ['{ to: [-x] }', /expected the name of a branch/],
  ['{ labels: [x] }', /expected the key "to"/],
  ['{ to: a, labels: ["a,b"] }', /expected a label without commas/],
])('check refuses %s', (args, expected) => {
  expect(problemsIn(rules(rule('{ author: alice }', `{ backport: ${args} }`))).join()).toMatch(expected)
})
