// Fetches the facts that decide needs, and no others; what the service refuses is absent.
import nock from 'nock'
import { createAnswerCache } from '../../../src/bot/evaluation/answers.ts'
import { branchHistory } from '../../../src/bot/evaluation/decide-input.ts'
import {
  type DecideReading,
  type DecisionWithFacts,
  decideAgain,
  decideWithFacts,
  type InitialInput,
  readAgain,
} from '../../../src/bot/evaluation/fetch-facts.ts'
import { decideCalls } from '../../../src/rules/engine/decide.ts'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import { readRules } from '../../../src/rules/language/documents/rule-document.ts'
import { landsCommits, makeClient, playService, service } from '../../client/world.ts'
import { serves } from '../service-answers.ts'
import { testContext } from '../test-context.ts'

playService()

const MR = '/projects/7/merge_requests/2'
const merge_request = {
  ...{ iid: 2, project_id: 7, sha: 'a'.repeat(40), source_branch: 'x' },
  ...{ state: 'opened', draft: false, labels: [] },
}
const changes = { changes_count: '1', changes: [{ old_path: 'docs/a', new_path: 'docs/a', diff: '' }] }
const inDocs = '{ changed_files: { all: "docs/**" } }'

function initial(condition: string, then = '{ label: { add: a } }'): InitialInput {
  const text = `version: 1\nrules:\n  - name: r\n    if: ${condition}\n    then: ${then}\n`
  const read = readRules(text, 'r.yml', { trust: 'operator' })
  if (!read.ok) throw new Error(JSON.stringify(read.problems))
  return {
    files: [{ rules: read.rules, path: 'r.yml', blob: 'b', trust: 'operator', broken: false }],
    mergeRequest: { project: 7, iid: 2 },
    events: [],
    memory: emptyMemory(),
    now: '2026-11-21T12:00:00.000Z',
    bot: { id: 1, username: 'bellhop' },
    project: { mergeRequestPipelines: false },
  }
}

const { client } = makeClient()
const run = (condition: string) => decideWithFacts(client, initial(condition))
const againOn = async (on: typeof client, { input }: DecisionWithFacts) => {
  const result = await decideAgain(on, await readAgain(on, input), decideCalls)
  return result !== undefined && 'calls' in result ? result.calls : undefined
}
/** The history of a branch that this user pushed. */
const pushedBy = (username: string): DecideReading => {
  const list = async () => [{ from: null, to: merge_request.sha, by: { id: 2, username } }]
  return { history: branchHistory(testContext({ journal: { pushes: { list } } }), { id: 7, path: 'acme/door' }) }
}
const verdict = async (condition: string) => (await run(condition)).decision.rules[0]?.verdict

describe('decideWithFacts', () => {
  test('a dependency in a project that was renamed, or may not be read, is unknown', async () => {
    const path = '/projects/group%2Fapp/merge_requests/3'
    for (const [status, headers] of [
      [301, { location: `/api/v4${path}` }],
      [403, {}],
    ] as const) {
      serves(MR, { ...merge_request, description: 'Depends on group/app!3' })
      serves('/projects/7', { id: 7, path_with_namespace: 'acme/door' })
      service().get(`${MR}/blocks`).query(true).reply(404)
      service().get(path).reply(status, '', headers)
      expect(await verdict('{ dependencies_merged: true }')).toBe('unknown')
    }
  })
  test('reads only the merge request where that decides', async () => {
    serves(MR, merge_request)
    const unread = serves(`${MR}/changes`, {})
    expect(await verdict('{ draft: true, changed_files: { all: "docs/**" } }')).toBe('false')
    expect(unread.isDone()).toBe(false)
  })

  test('a name that no call can carry is unknown, and stops nothing', async () => {
    const owner = Array.from({ length: 5 }, () => 'x'.repeat(250)).join('/')
    const found = initial('{ draft: false }', '{ review: { from: code_owners }, label: { add: a } }')
    const content = Buffer.from(`* @${owner}`).toString('base64')
    const answers: [string | RegExp, object][] = [
      [MR, { ...merge_request, author: { id: 2, username: 'a' }, reviewers: [] }],
      ['/projects/7', { id: 7, default_branch: 'main', path_with_namespace: 'x/y' }],
      [`${MR}/changes`, { ...merge_request, ...changes }],
      [/\/files\/CODEOWNERS\?/, { content }],
      [/\/users\?/, []],
    ]
    for (const [path, body] of answers) service().persist().get(path).reply(200, body)
    const { decision } = await decideWithFacts(client, { ...found, policy: { mode: 'act', groups: 'any' } })
    expect(decision.calls.map(({ action }) => action)).toEqual(['label'])
  })
  test('reads more where it is needed', async () => {
    serves(MR, merge_request)
    serves(`${MR}/changes`, { ...merge_request, ...changes })
    const decided = await run(inDocs)
    expect(decided.decision.calls).toMatchObject([{ action: 'label', params: { id: 7, merge_request_iid: 2 } }])
    expect(Object.keys(decided.input.answers).sort()).toEqual(['changes', 'mergeRequest'])
  })

  describe('where the branch moves between two reads', () => {
    const [old, now] = ['a'.repeat(40), 'b'.repeat(40)]
    /** Answers the merge request and its changes with these heads in turn; returns the requests, conditional or not. */
    function heads(ofMergeRequest: readonly string[], ofChanges: readonly string[]): string[] {
      const asked: string[] = []
      const answers = (path: string, what: string, list: readonly string[], body: object) =>
        list.forEach((sha) => {
          service()
            .get(path)
            .reply(function () {
              const tag = this.req.headers['if-none-match']
              asked.push(`${what} ${sha.slice(0, 1)}${tag === undefined ? '' : ' or the same'}`)
              return [200, { ...merge_request, ...body, sha }, { etag: `W/"${what}"` }]
            })
        })
      answers(MR, 'merge request', ofMergeRequest, {})
      answers(`${MR}/changes`, 'changes', ofChanges, changes)
      return asked
    }
    const fresh = () => decideWithFacts(makeClient().client, initial(inDocs))

    test('reads both again, unconditionally, and evaluates the new head', async () => {
      const asked = heads([old, now], [now, now])
      const { decision } = await fresh()
      expect(decision.head).toBe(now)
      expect(decision.calls).toHaveLength(1)
      expect(asked).toEqual(['merge request a', 'changes b', 'merge request b', 'changes b'])
    })

    test('reads both three times at most; then the changes are unknown, and it is evaluated again later', async () => {
      const asked = heads([old, old, old], [now, now, now])
      const { decision } = await fresh()
      expect(asked).toHaveLength(6)
      expect(decision).toMatchObject({ calls: [], head: old, againInMs: 2000 })
      expect(decision.rules[0]?.verdict).toBe('unknown')
    })

    test('back and forth, the check before a bound call finds another call', async () => {
      heads([old, old], [old, now])
      const { client: own } = makeClient()
      const decided = await decideWithFacts(own, initial(inDocs))
      expect(decided.decision.calls).toHaveLength(1)
      expect(await againOn(own, decided)).toEqual([])
    })
  })

  test('without rules nothing is read', async () => {
    const { decision } = await decideWithFacts(client, { ...initial('{ draft: false }'), files: [] })
    expect(decision.calls).toEqual([])
  })

  test.each([403, 404])('%i is an absent fact: the rule is unknown, and says why', async (status) => {
    serves(MR, merge_request)
    service().get(`${MR}/changes`).reply(status, { message: 'no way' })
    const { decision } = await run('{ changed_files: { none: "docs/**" } }')
    expect(decision.rules[0]?.verdict).toBe('unknown')
    expect(JSON.stringify(decision.rules[0])).toContain('no way')
    expect(decision.calls).toEqual([])
  })

  test.each([401, 500])('%i is thrown', async (status) => {
    service().get(MR).times(4).reply(status, { message: 'no' })
    await expect(run('{ draft: false }')).rejects.toMatchObject({ status })
  })

  test('adds the history of the branch once the merge request was read', async () => {
    serves(MR, { ...merge_request, source_project_id: 7, source_branch: 'door' })
    const { decision } = await decideWithFacts(client, initial('{ pushed_by: { all: alice } }'), pushedBy('alice'))
    expect(decision.calls).toHaveLength(1)
  })
})

describe('who pushed to a branch from before Bellhop', () => {
  const body = { ...merge_request, source_project_id: 9, source_branch: 'door', updated_at: '2026-11-20T00:00:00Z' }
  const [first, head] = ['b'.repeat(40), merge_request.sha]
  const event = (username: string, commit_from: string | null, commit_to: string, ref = 'door') => ({
    ...{ created_at: '2026-11-19T00:00:00Z', author: { id: 2, username } },
    push_data: { action: commit_from === null ? 'created' : 'pushed', ref_type: 'branch', ref, commit_from, commit_to },
  })
  const page = (number: number, events: object[], next = String(number + 1)) =>
    service()
      .get('/projects/9/events')
      .query({ action: 'pushed', per_page: '100', before: '2026-11-22', ...(number === 1 ? {} : { page: number }) })
      .reply(200, events, { 'x-next-page': next })
  const added: unknown[] = []
  const journal = { pushes: { list: async () => [], add: async (...given: unknown[]) => void added.push(given) } }
  const history = { ...branchHistory(testContext({ journal }), { id: 7, path: 'acme/door' }), stores: true as const }

  test('is read once, as far as its first push, stored, and not read again before a bound call', async () => {
    service().get(MR).times(2).query(true).reply(200, body)
    page(1, [event('alice', first, head), event('eve', null, head, 'other')])
    page(2, [event('alice', null, first)])
    const decided = await decideWithFacts(client, initial('{ pushed_by: { all: alice } }'), { history })
    expect(decided.decision.calls).toHaveLength(1)
    expect(await againOn(client, decided)).toHaveLength(1)
    expect(added).toMatchObject([[{ project: 9, branch: 'door' }, [{ from: null }, { from: first, to: head }]]])
    expect(nock.isDone()).toBe(true)
  })

  test('is asked for on five pages at most, and stays unknown', async () => {
    serves(MR, body)
    for (const number of [1, 2, 3, 4, 5]) page(number, [event('eve', null, head, 'other')])
    const { decision } = await decideWithFacts(client, initial('{ pushed_by: { all: alice } }'), {})
    expect(decision.rules[0]?.verdict).toBe('unknown')
    expect(JSON.stringify(decision.rules[0])).toContain('not among the last 500 to its source project: open it again')
  })

  test('is not read where another condition decides', async () => {
    serves(MR, body)
    expect(await verdict('{ pushed_by: { all: alice }, draft: true }')).toBe('false')
  })
})

describe('who is in a group', () => {
  test('is read once for several merge requests, and not again just before a call', async () => {
    const cache = createAnswerCache()
    const approvals = { approved_by: [{ user: { id: 5, username: 'sam' } }] }
    const members = [{ id: 5, username: 'sam', state: 'active', access_level: 30 }]
    serves('/groups/team%2Fsecurity/members?per_page=100', members)
    const condition = '{ approved_by: { members_of: team/security } }'
    for (const iid of [2, 3]) {
      const path = `/projects/7/merge_requests/${iid}`
      service()
        .get(path)
        .times(2)
        .query(true)
        .reply(200, {
          ...merge_request,
          iid,
          author: { id: 2, username: 'alice' },
          source_project_id: 7,
          source_branch: 'feature',
        })
      service().get(`${path}/approvals`).times(2).reply(200, approvals)
      const memory = { ...emptyMemory(), approvals: { 5: merge_request.sha } }
      const given = { ...initial(condition), memory, mergeRequest: { project: 7, iid } }
      const decided = await decideWithFacts(client, given, { cache, ...pushedBy('alice') })
      expect(decided.decision.calls).toMatchObject([{ action: 'label' }])
      expect(await decideAgain(client, await readAgain(client, decided.input, cache), decideCalls)).toMatchObject({
        calls: [{ action: 'label' }],
      })
    }
    expect(nock.isDone()).toBe(true)
  })
  test.each([
    ['', 'members'],
    [', inherited: true', 'members/all'],
  ])('takes one call for a short list: members_of%s', async (more, path) => {
    serves(MR, merge_request)
    serves(`${MR}/approvals`, { approved_by: [{ user: { id: 5, username: 'sam' } }] })
    serves(`/groups/team/${path}?per_page=100`, [{ id: 5, username: 'sam', state: 'active', access_level: 30 }])
    expect(await verdict(`{ approved_by_service: { members_of: team${more} } }`)).toBe('true')
    expect(nock.isDone()).toBe(true)
  })
})

describe('a project that is cache', () => {
  const onMain = '{ default_branch: main }'
  const open = {
    ...{ title: 'A door', description: null, target_branch: 'main', merge_status: 'can_be_merged' },
    ...{ head_pipeline: null, squash: false, merge_when_pipeline_succeeds: false },
  }
  const decideOn = async (branch: string, then: string) => {
    const cache = createAnswerCache()
    landsCommits()
    cache.storeProject(7, { ok: true, body: { id: 7, default_branch: 'main' }, complete: true })
    serves(MR, { ...merge_request, ...open })
    const read = serves('/projects/7', { id: 7, default_branch: branch })
    const { decision } = await decideWithFacts(client, initial(onMain, then), { cache })
    return [decision.calls.length, read.isDone()]
  }

  test('decides on calls before which everything is read again', async () => {
    expect(await decideOn('trunk', '{ accept: { pipeline: none } }')).toEqual([1, false])
  })
  test.each(['{ label: { add: a } }', '{ label: { add: a }, accept: { pipeline: none } }'])(
    'decides on no other call: %s',
    async (then) => {
      expect(await decideOn('trunk', then)).toEqual([0, true])
    },
  )
  test('does not decide that nothing is to be done', async () => {
    expect(await decideOn('main', '{ label: { remove: a } }')).toEqual([0, true])
  })
})

describe('decideAgain', () => {
  test('reads all facts again, the merge request last', async () => {
    const order: string[] = []
    const answer = (labels: string[]) => {
      serves(MR, () => {
        order.push('merge request')
        return { ...merge_request, labels }
      })
      serves(`${MR}/changes`, () => {
        order.push('changes')
        return { ...merge_request, ...changes }
      })
    }
    answer([])
    const decided = await run(inDocs)
    expect(decided.decision.calls).toHaveLength(1)
    answer(['a'])
    expect(await againOn(client, decided)).toEqual([])
    expect(order).toEqual(['merge request', 'changes', 'changes', 'merge request'])
  })

  test('reads every fact unconditionally, though a first read may be conditional', async () => {
    const asked: string[] = []
    const answer = (what: string, path: string, body: object) =>
      service()
        .get(path)
        .times(3)
        .reply(function () {
          asked.push(`${what}: ${String(this.req.headers['if-none-match'])}`)
          return [200, body, { etag: `W/"${what}"` }]
        })
    answer('merge request', MR, merge_request)
    answer('approvals', `${MR}/approvals`, { approved_by: [{ user: { id: 3, username: 'carol' } }] })
    const { client: fresh } = makeClient()
    const decided = () => decideWithFacts(fresh, initial('{ approved_by: { any: carol } }'))
    await decided()
    await againOn(fresh, await decided())
    expect(asked).toEqual([
      ...['merge request: undefined', 'approvals: undefined'],
      ...['merge request: W/"merge request"', 'approvals: W/"approvals"'],
      ...['approvals: undefined', 'merge request: undefined'],
    ])
  })

  test('returns undefined where it needs more facts', async () => {
    serves(MR, { ...merge_request, draft: true })
    const decided = await run('{ draft: false, changed_files: { all: "docs/**" } }')
    serves(MR, merge_request)
    expect(await againOn(client, decided)).toBeUndefined()
    expect(nock.isDone()).toBe(true)
  })
})
