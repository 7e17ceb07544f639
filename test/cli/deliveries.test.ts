// `bellhop deliveries` against the real admin API on a real journal.
import type { DeliveryRecord } from '../../src/journal/types.ts'
import type { MergeRequestRef } from '../../src/rules/event-types.ts'
import { issueRef } from '../../src/rules/facts/definition/subject-ref.ts'
import { nothing } from '../admin/serve-admin.ts'
import { useStores } from '../bot/stores.ts'
import { decision, delivery as deliveryOf } from '../suites/journal/records.ts'
import { prints, refuses } from './run-here.ts'
import { useRunningBot } from './running-bot.ts'

const stores = useStores({ own: true })
const replayed: string[] = []
const mergeRequest = { project: 7, iid: 2 }
const at = '2026-11-21T10:00:00.000Z'
const about = (id: string, kind: string, of: MergeRequestRef): DeliveryRecord =>
  deliveryOf({ id, state: 'read', event: { kind, actor: {}, at, ...of }, mergeRequests: [of] })
const delivery = about('d-one', 'merge_request.open', mergeRequest)
const replay = { at: '2026-11-21T11:00:00.000Z', by: 'admin' }

const { run } = useRunningBot(async () => {
  const { deliveries, decisions } = stores.journal
  await deliveries.save(delivery)
  await deliveries.addReplay(delivery.id, replay)
  await deliveries.save(about('d-dry', 'selected', { project: 8, iid: 3 }))
  await deliveries.save(about('d-issue', 'issue.open', issueRef(9, 2)))
  const unseen = { kind: 'note.create', actor: {}, at: '2026-11-21T10:00:00.000Z', project: 11 }
  await deliveries.save(deliveryOf({ id: 'd-unseen', state: 'no_merge_request', mergeRequests: [], event: unseen }))
  const odd = { header: '\u001b[2Jred\u009b', reason: 'a\u001b]0;x\u0007b' }
  await deliveries.save(deliveryOf({ id: 'd-odd', state: 'unreadable', ...odd }))
  await decisions.save({ ...decision(mergeRequest, '2026-11-21T10:00:01.000Z', 'decision-one'), deliveries: ['d-one'] })
  const replayOne = async (id: string) => {
    if (id === 'd-odd') return { is: 'body_expired' } as const
    if (id === 'd-dry') return { is: 'replayed', number: 1 } as const
    if (id !== 'd-one') return { is: 'unknown' } as const
    replayed.push(id)
    return { is: 'replayed', number: 2 } as const
  }
  const dryRun = async () => ({ ok: true as const, decision: nothing })
  return { journal: stores.journal, replay: { delivery: replayOne, decision: replayOne }, dryRun }
})

const deliveries = (...args: string[]) => run('deliveries', ...args)

describe('deliveries', () => {
  test('list shows each with event, state and merge requests, and takes project, state and time', async () => {
    const all = await deliveries('list')
    expect(all.code).toBe(0)
    expect(all.out).toMatch(/d-one .*merge_request\.open .*read .*!2 of project 7/)
    expect(all.out).toMatch(/d-odd .*unreadable/)
    const { out } = await deliveries('list', '--project', '7', '--state', 'read', '--format', 'json')
    expect(JSON.parse(out)).toEqual({ items: [{ ...delivery, replays: [replay] }] })
    expect((await deliveries('list', '--until', '2026-11-21T10:00Z')).out).toBe('No deliveries found.\n')
  })

  test('without merge requests the project is named, as for one that Bellhop’s user cannot see', async () => {
    expect((await deliveries('list', '--state', 'no_merge_request')).out).toMatch(
      /d-unseen .*note\.create .*project 11/,
    )
    expect((await deliveries('show', 'd-unseen')).out).toContain('about    project 11')
  })

  test('an issue is named, and found, by its own number', async () => {
    expect((await deliveries('list', '--project', '9#2')).out).toMatch(
      /d-issue .*issue\.open .*read .*.*#2 of project 9/,
    )
    expect((await deliveries('list', '--project', '9!2')).out).toBe('No deliveries found.\n')
    expect((await deliveries('show', 'd-issue')).out).toContain('about    #2 of project 9')
    const { out } = await deliveries('list', '--project', '9#2', '--format', 'json')
    expect(JSON.parse(out).items[0].mergeRequests).toEqual([{ project: 9, iid: 2, subject: 'issue' }])
    expect((await deliveries('replay', 'd-issue')).out).toMatch(/^#2 of project 9\n/)
  })

  test('show prints the state of one, and its decisions', async () => {
    const { code, out } = await deliveries('show', 'd-one')
    expect(code).toBe(0)
    const lines = ['d-one', 'merge_request.open', 'state    read', 'replayed 2026-11-21T11:00:00.000Z by admin']
    for (const each of [...lines, 'decision-one of !2 of project 7']) expect(out).toContain(each)
  })

  test('text from outside cannot control the terminal', async () => {
    for (const args of ['list', 'show d-odd', 'list --format json', 'show d-odd --format json']) {
      const { code, out } = await deliveries(...args.split(' '))
      expect(code).toBe(0)
      expect(out).toContain('red')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
      expect(out, args).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
    }
  })

  test('replay without --apply shows the decisions of then and now, and sends nothing', async () => {
    const { code, out } = await deliveries('replay', 'd-dry')
    expect(code).toBe(0)
    expect(out).toBe(
      '!3 of project 8\n  then     no decision\n  now      nothing to do\nNothing was sent. Use --apply to evaluate again and act.\n',
    )
    expect(replayed).not.toContain('d-dry')
  })

  test('replay --apply enqueues it again', async () => {
    expect(await deliveries('replay', 'd-one', '--apply')).toEqual(prints('Replay 2 of d-one is enqueued.\n'))
    expect(replayed).toContain('d-one')
  })

  test('a selection is counted, and replayed with --apply', async () => {
    const filter = ['replay', '--kind', 'selected']
    const dry = await deliveries(...filter)
    expect(dry).toMatchObject({
      code: 0,
      err: 'bellhop: 1 delivery\n',
      out: expect.stringMatching(/^delivery d-dry\n {2}!3 of project 8\n.*Nothing was sent/s),
    })
    expect(await deliveries(...filter, '--apply', '--why', 'a test')).toMatchObject({
      code: 0,
      out: '1 enqueued.\n',
    })
  })

  test('a replay without filters, and --apply with --dry-run, is wrong usage', async () => {
    for (const args of ['replay', 'replay d-one --apply --dry-run', 'list --since tomorrow', 'list --limit 0'])
      expect((await deliveries(...args.split(' '))).code, args).toBe(2)
  })
})

describe('a failure is one line, exit 1', () => {
  const oneLine = (message: RegExp) => refuses(1, new RegExp(`^bellhop: .*${message.source}.*\\n$`))

  test('a delivery without a merge request, whose body is deleted', async () => {
    expect(await deliveries('replay', 'd-odd', '--apply')).toEqual(oneLine(/its body is no longer stored/))
  })

  test('an unknown delivery, also with odd characters', async () => {
    for (const id of ['unknown', '../decisions', 'a/b?c'])
      for (const command of ['show', 'replay'])
        expect(await deliveries(command, id)).toEqual(oneLine(/There is no delivery/))
  })

  test.each([
    ['a wrong token', '--token', 'wrong', /BELLHOP_ADMIN_TOKEN/],
    ['a token outside ASCII', '--token', 'ключ', /BELLHOP_ADMIN_TOKEN/],
    ['an unreachable bot', '--url', 'http://127.0.0.1:1', /cannot be reached/],
  ])('%s', async (_, flag, value, message) => {
    expect(await deliveries('list', flag, value)).toEqual(oneLine(message))
  })
})
