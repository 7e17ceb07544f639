// What is remembered of merge requests, branches and projects: pushes, memory, rule files, marks.
import type { Journal } from '../../../src/journal/journal.ts'
import { wholeService } from '../../../src/journal/tables/marks.ts'
import type { RuleFileRecord } from '../../../src/journal/types.ts'
import { delivery, event, mergeRequest, ruleFile, savePush } from './records.ts'

export function journalMemorySuite(open: () => Journal, openAnother: () => Promise<Journal>): void {
  test('pushes are read oldest first, each delivery once, the last hundred', async () => {
    const { project } = mergeRequest()
    const branch = { project, branch: 'feature/x' }
    const push = (n: number) => ({ from: `sha${n - 1}`, to: `sha${n}`, by: { id: n } })
    for (let n = 0; n < 105; n += 1) await savePush(open(), branch, { ...push(n), id: `${project}-${n}` })
    const last = Array.from({ length: 100 }, (_, n) => push(n + 5))
    expect(await open().pushes.list(branch)).toEqual(last)
    await savePush(open(), branch, { to: 'again', id: `${project}-104` })
    await savePush(open(), branch, { to: 'refused', state: 'refused' })
    expect(await open().pushes.list(branch)).toEqual(last)
    for (const other of [{ branch: 'feature/y' }, { branch: 'Feature/x' }, { project: mergeRequest().project }]) {
      expect(await open().pushes.list({ ...branch, ...other })).toEqual([])
      await savePush(open(), { ...branch, ...other }, { id: `${project}-0` })
      expect(await open().pushes.list({ ...branch, ...other })).toHaveLength(1)
    }
  })

  test('pushes that events tell are added in their order, after those that hooks told, each once', async () => {
    const branch = { project: mergeRequest().project, branch: 'feature/x' }
    const hook = { from: 'b', to: 'c', by: { id: 1 } }
    const told = [
      { from: null, to: 'a', by: { id: 2 }, at: '2026-01-01T00:00:00Z' },
      { from: 'a', to: 'b', by: {}, unknown: 'nothing tells' },
    ]
    await savePush(open(), branch, hook)
    await open().pushes.add(branch, told)
    await open().pushes.add(branch, [...told, { from: null, to: 'a', by: { id: 3 }, at: '2026-01-02T00:00:00Z' }])
    expect(await open().pushes.list(branch)).toMatchObject([hook, ...told, { by: { id: 3 } }])
    await open().pushes.add(branch, [])
  })

  test('what an evaluation needs is read at once', async () => {
    const of = mergeRequest()
    expect(await open().load(of, ['a'])).toEqual({
      ...{ memory: undefined, queueEntry: undefined, pendingEvents: [], name: {}, pushes: [] },
      ...{ waits: { waits: [] }, ruleFiles: { files: [], includedBy: [] }, marks: {} },
    })
    const memory = { rules: {}, pushes: [] }
    const origin = { project: mergeRequest().project, branch: 'feature', author: 'alice' }
    const waits = { waits: [{ at: 1, for: 'review' as const }], bot: 'bellhop' }
    const name = { title: 'T', url: 'https://service/p/-/merge_requests/7' }
    await open().mergeRequests.save(of, { memory, name, origin, waits })
    for (const branch of ['feature', 'other']) await savePush(open(), { project: origin.project, branch })
    await savePush(open(), { ...of, branch: 'feature' })
    const everywhere = `everywhere ${of.project}`
    await open().marks.write(of.project, 'a', 'A')
    await open().marks.write(of.project, 'b', 'B')
    await open().marks.write(origin.project, 'c', 'C')
    await open().marks.write(wholeService, everywhere, ['E'])
    for (const deliveryId of ['one', 'two']) await open().events.add(of, { deliveryId, event: event() })
    await open().ruleFiles.save(of.project, [
      { ...ruleFile(of), projectPath: 'hotel/app', projectUrl: 'https://service/p' },
    ])
    const loaded = await open().load(of, ['a', 'c', everywhere])
    expect(loaded).toEqual({
      ...{ memory, waits, queueEntry: undefined, name: { ...name, path: 'hotel/app' } },
      ...{ pushes: [{ from: null, to: 'sha', by: {} }], ruleFiles: await open().ruleFiles.of(of.project) },
      ...{ marks: { a: 'A', [everywhere]: ['E'] }, pendingEvents: await open().events.pending(of) },
    })
    expect(loaded.pendingEvents.map(({ deliveryId }) => deliveryId)).toEqual(['one', 'two'])
    expect(loaded.ruleFiles.files).toHaveLength(1)
  })

  describe('merge requests that are known', () => {
    const known = (of: Parameters<Journal['mergeRequests']['known']>[0]) => open().mergeRequests.known(of)

    test('are found by number, and by their source branch until they are merged or closed', async () => {
      const one = mergeRequest()
      const [fork, other] = [mergeRequest(), mergeRequest()]
      const from = { project: fork.project, branch: 'a/"b"\u0000' }
      expect([await known(one), await known(from)]).toEqual([[], []])
      const memory = { rules: {}, pushes: [] }
      const save = (of: typeof one, change: object, branch = from.branch) =>
        open().mergeRequests.save(of, { memory, origin: { ...from, branch, author: 'alice' }, ...change })
      await save(one, { keeps: true })
      await save({ ...one, iid: 8 }, { keeps: false }, 'A/"b"\u0000')
      await save(other, { keeps: false })
      const shown = { keeps: false, queueTargets: [], origin: { ...from, author: 'alice' } }
      expect(await known(from)).toEqual([
        { ...shown, ref: one, keeps: true },
        { ...shown, ref: other },
      ])
      await save(one, { ended: true })
      expect(await known(from)).toEqual([{ ...shown, ref: other }])
      expect((await known(one))[0]).toMatchObject({ ref: one, ended: true })
      await save(one, {})
      expect(await known(from)).toHaveLength(1)
      await save(one, { ended: false })
      expect(await known(from)).toHaveLength(2)
      expect(await known({ ...from, project: one.project })).toEqual([])
    })

    test('keep their origin and author, whatever deliveries and evaluations leave out; a refused one says nothing', async () => {
      const of = mergeRequest()
      const origin = { project: of.project, branch: 'feature' }
      const refused = { ...origin, branch: 'other' }
      const stated = delivery({ state: 'no_merge_request', event: { ...event('merge_request.update'), ...of } })
      await open().deliveries.save({ ...stated, id: `refused ${stated.id}`, state: 'refused' }, { origin: refused })
      expect(await known(of)).toEqual([])
      await open().deliveries.save(stated, { origin })
      expect(await known(origin)).toEqual([{ ref: of, keeps: false, queueTargets: [], origin }])
      await open().mergeRequests.save(of, { memory: { rules: {}, pushes: [] } })
      await open().mergeRequests.save(of, { origin: { ...origin, author: 'alice' } })
      await open().deliveries.save(stated, { origin })
      // Memory of which nobody says that it holds nothing may hold something.
      expect(await known(of)).toEqual([
        { ref: of, keeps: true, queueTargets: [], origin: { ...origin, author: 'alice' } },
      ])
    })

    test('name the target branches of the queues of their project, also after they left', async () => {
      const of = mergeRequest()
      const terms = { queue: 'main', target: 'release/"1"', priority: 0, frozen: false }
      const entry = { iid: of.iid, head: 'h', since: 1, ...terms }
      await open().mergeQueues.saveEntry(of, entry)
      expect((await known(of))[0]?.queueTargets).toEqual(['release/"1"'])
      expect((await open().load(of)).queueEntry).toEqual(entry)
      await open().mergeQueues.saveEntry(of, undefined)
      expect((await known(of))[0]?.queueTargets).toEqual(['release/"1"'])
    })
  })

  test('a change of a merge request leaves what it does not name', async () => {
    const of = mergeRequest()
    const memory = { rules: {}, pushes: [], of: { approve: 'a' } }
    const waits = { waits: [], bot: 'bellhop' }
    await open().mergeRequests.save(of, { memory, waits, changesAt: '2001-01-01T00:00:00.000Z' })
    await open().events.add(of, { deliveryId: 'one', event: event() })
    await open().mergeRequests.save(of, { processed: await open().events.pending(of) })
    expect(await open().load(of)).toMatchObject({ memory, waits, pendingEvents: [] })
    const dueAt = async (at: string) => {
      const until = { limit: 1_000, nextAt: new Date('2001-01-03') }
      const due = await open().mergeRequests.takeDue(new Date(at), until)
      return due.filter(({ project }) => project === of.project)
    }
    expect(await dueAt('2000-12-31')).toEqual([])
    expect(await dueAt('2001-01-02')).toEqual([of])
    expect(await dueAt('2001-01-02')).toEqual([])
    expect(await dueAt('2001-01-04')).toEqual([of])
    await open().mergeRequests.save(of, { changesAt: null })
    expect(await dueAt('2001-01-04')).toEqual([])
  })

  test('memory and rule files the last saved is what is remembered', async () => {
    const of = mergeRequest()
    expect(await open().mergeRequests.memory(of)).toBeUndefined()
    for (const matched of [true, false]) {
      const memory = { rules: { 'a#b': { fingerprint: 'f', matched, done: ['label'] } }, pushes: [] }
      await open().mergeRequests.save(of, { memory })
      expect(await open().mergeRequests.memory(of)).toEqual(memory)
    }
    const file = ruleFile(of)
    expect(await open().ruleFiles.find(file)).toBeUndefined()
    await open().ruleFiles.save(of.project, [file])
    expect(await open().ruleFiles.find(file)).toEqual(file)
  })

  describe('rule files', () => {
    const good = { blob: 'b', text: 'version: 1' }
    const included = (project: number, from: number, path: string): RuleFileRecord => ({
      ...{ ...ruleFile({ project }), path: `p${from}:${path}`, good, origin: { project: from, path } },
    })

    test('of a project are those that were saved last, all at once', async () => {
      const { project } = mergeRequest()
      const [own, one, two] = [ruleFile({ project }), included(project, 1, 'a.yml'), included(project, 1, 'b.yml')]
      await open().ruleFiles.save(project, [own, one])
      await open().ruleFiles.save(project, [own, two])
      const { files } = await open().ruleFiles.of(project)
      expect(files).toHaveLength(2)
      expect(files).toEqual(expect.arrayContaining([own, two]))
      expect(await open().ruleFiles.find(one)).toBeUndefined()
      const unstorable = { ...one, origin: { project: Number.NaN, path: 'a.yml' } }
      await expect(open().ruleFiles.save(project, [{ ...own, blob: 'new' }, unstorable])).rejects.toThrow()
      expect((await open().ruleFiles.of(project)).files).toEqual(expect.arrayContaining([own, two]))
    })

    test('that other projects include are known, where they are valid', async () => {
      const [origin, one, two] = [mergeRequest().project, mergeRequest().project, mergeRequest().project]
      await open().ruleFiles.save(one, [ruleFile({ project: one }), included(one, origin, 'a.yml')])
      await open().ruleFiles.save(two, [
        ...[included(two, origin, 'a.yml'), included(two, origin, 'b.yml')],
        { ...included(two, origin, 'broken.yml'), good: null },
      ])
      const includedBy = async () => (await open().ruleFiles.of(origin)).includedBy
      expect(await includedBy()).toEqual([
        { project: one, path: 'a.yml' },
        { project: two, path: 'a.yml' },
        { project: two, path: 'b.yml' },
      ])
      await open().ruleFiles.save(two, [ruleFile({ project: two })])
      expect(await includedBy()).toEqual([{ project: one, path: 'a.yml' }])
    })
  })

  describe('a mark', () => {
    test('that many change at once, in several processes, loses no change', async () => {
      const { project } = mergeRequest()
      const journals = [open(), await openAnother(), await openAnother()]
      const add = (before = 0) => before + 1
      await Promise.all(Array.from({ length: 12 }, (_, n) => journals[n % 3]?.marks.change(project, 'count', add)))
      expect(await open().marks.read(project, 'count')).toBe(12)
    })

    test('is of one project and name alone, and is gone when its time is over', async () => {
      const [{ project }, other] = [mergeRequest(), mergeRequest()]
      await open().marks.write(project, 'a', { list: [1] })
      await open().marks.write(project, 'b', 'brief', 1)
      expect(await open().marks.read(project, 'a')).toEqual({ list: [1] })
      expect(await open().marks.read(other.project, 'a')).toBeUndefined()
      await expect.poll(() => open().marks.read(project, 'b')).toBeUndefined()
      await open().marks.change(project, 'b', (before) => (before === undefined ? 'new' : undefined))
      expect(await open().marks.read(project, 'b')).toBe('new')
    })

    test('is left as it is by a change that says so, and may be new, or begin with the word of another', async () => {
      const { project } = mergeRequest()
      await open().marks.change(project, 'a', () => undefined)
      expect(await open().marks.read(project, 'a')).toBeUndefined()
      for (const text of ['none', 'is none', '']) {
        await open().marks.change(project, 'a', () => text)
        expect(await open().marks.read(project, 'a')).toBe(text)
        await open().marks.change(project, 'a', () => undefined)
        expect(await open().marks.read(project, 'a')).toBe(text)
      }
    })
  })
}
