// Dry run: decides as an evaluation would, and changes nothing: no record, no job, no request but GET.
import { createBot } from '../../../src/bot/bot.ts'
import { enqueuedMark } from '../../../src/bot/rule-files/enqueue-open.ts'
import { createClient } from '../../../src/client/create-client.ts'
import { issueRule, mergeRequest, rule, rules } from '../../rules/world.ts'
import { useStores } from '../stores.ts'
import { botOptions, notifying, operatorSettings } from '../test-context.ts'

const stores = useStores()
const readMethods = /^(load|read|of|find|list|entry|entries)$/

/** The same object; adds to `writes` the name of each called method, of it and its members, that may write. */
function recordWrites<T extends object>(target: T, writes: string[]): T {
  return new Proxy(target, {
    get(object, name, receiver) {
      const member: unknown = Reflect.get(object, name, receiver)
      if (typeof member === 'object' && member !== null) return recordWrites(member, writes)
      if (typeof member !== 'function' || readMethods.test(String(name))) return member
      return (...given: unknown[]) => {
        writes.push(String(name))
        return member.apply(object, given)
      }
    },
  })
}

/** A service with one merge request and a rule file that approves it; answers GET alone. */
function fakeService() {
  const requests: string[] = []
  const ofIssues = issueRule('{ labels: bug }', '{ todo: true }').replace('the rule', 'of issues')
  const text = rules(rule('{ state: opened }', '{ approve: true }'), ofIssues)
  const answers: [RegExp, unknown][] = [
    [/\/user$/, { id: 9, username: 'bellhop' }],
    [/\/projects\/1$/, { id: 1, default_branch: 'main', path_with_namespace: 'hotel/app' }],
    [/\/branches\/main$/, { name: 'main', commit: { id: 'c'.repeat(40) } }],
    [/\/files\//, { blob_id: 'b', encoding: 'base64', content: Buffer.from(text).toString('base64') }],
    [/\/merge_requests\/7$/, mergeRequest()],
    [/\/merge_requests\/7\/approvals$/, { approved_by: [], approvals_left: 1, approvals_required: 1 }],
    [/\/merge_requests$/, [mergeRequest()]],
    [/\/changes$/, mergeRequest({ changes: [{ old_path: 'a', new_path: 'a' }], changes_count: '1' })],
  ]
  const fetch = async (input: unknown, init?: RequestInit) => {
    const { pathname } = new URL(String(input))
    requests.push(`${init?.method} ${pathname}`)
    const found = answers.find(([path]) => path.test(pathname))
    const headers = { 'content-type': 'application/json' }
    return new Response(JSON.stringify(found?.[1] ?? {}), { status: found === undefined ? 404 : 200, headers })
  }
  return { fetch: fetch as typeof globalThis.fetch, requests }
}

describe('a dry run', () => {
  test('writes nothing to the journal and adds no job, also where the rules have changed since they were read', async () => {
    stores.renew()
    const { fetch, requests } = fakeService()
    const writes: string[] = []
    // As after a change of the rules whose hook was lost: an evaluation would queue the open merge requests again.
    await stores.journal.marks.write(1, enqueuedMark, { version: 'an older version', forIssues: false })
    const bot = botOf(fetch, writes)
    const run = await bot.dryRun({ project: 1, iid: 7 })
    expect(run).toMatchObject({ ok: true, decision: { calls: [{ action: 'approve' }] } })
    expect(writes).toEqual([])
    expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([])
  })

  test.each([
    [-5, 'There is no issue hotel/app#5 that Bellhop’s user can see.'],
    [8, 'There is no merge request hotel/app!8 that Bellhop’s user can see.'],
  ])('of what is not there (%i) says so, and decides nothing', async (iid, reason) => {
    stores.renew()
    const bot = botOf(fakeService().fetch, [])
    expect(await bot.dryRun({ project: 1, iid })).toEqual({ ok: false, reason })
  })
})

function botOf(fetch: typeof globalThis.fetch, writes: string[]) {
  return createBot({
    ...botOptions,
    client: createClient({ baseUrl: 'https://code.example', token: 'token', fetch }),
    backend: { ...stores.queue, queue: (name) => recordWrites(stores.queue.queue(name), writes) },
    journal: recordWrites(stores.journal, writes),
    operator: { ...operatorSettings, ...notifying },
  })
}
