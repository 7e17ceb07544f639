// Intake of events of issues: jobs only where a rule is for issues, and no stored text of confidential ones.
import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import type { DeliveryJob } from '../../../src/bot/intake/delivery-job.ts'
import { ServiceError } from '../../../src/client/errors.ts'
import type { JobHandler } from '../../../src/queue/types.ts'
import { playService } from '../../client/world.ts'
import { file as ruleFile } from '../../rules/world.ts'
import { rulesOfVersion, useStores } from '../stores.ts'
import { AT, enqueued, intakesOn, opened } from './intake-world.ts'

const stores = useStores()
playService()
const makeIntake = intakesOn(stores)

/** No call is answered: each one fails. */
const intakeWith = (text: string, options: Parameters<typeof makeIntake>[0] = {}) =>
  makeIntake({ ...options, ruleFiles: rulesOfVersion('', { files: [ruleFile(text)] }) })

const rule = (more: string) =>
  `  - name: ${JSON.stringify(more.replaceAll('\n', ''))}\n    ${more}\n    then: { todo: true }\n`
const forIssues = rule('for: issues\n    if: { any: [{ state: opened }, { user_notes_count: 1 }, { upvotes: 1 }] }')
const offForIssues = rule('for: issues\n    mode: off\n    if: { state: opened }')
const onClose = 'rules:\n  - name: greet\n    for: issues\n    on: issue.close\n    then: { todo: true }\n'
const forMergeRequests = rule('if: { state: opened }')
const issue = (attributes: object = {}, more: object = {}) => ({
  ...{ object_kind: 'issue', project: { id: 7 }, user: { id: 3, username: 'ann' } },
  object_attributes: { iid: 2, action: 'open', confidential: false, title: 'A door', ...attributes },
  ...more,
})
const note = (more: object = {}) => ({
  ...{ object_kind: 'note', project: { id: 7 }, user: { id: 3, username: 'ann' } },
  object_attributes: { id: 31, note: 'It sticks', noteable_type: 'Issue', action: 'create' },
  issue: { iid: 2, confidential: false, title: 'A door' },
  ...more,
})

const refused = new ServiceError({
  ...{ kind: 'refused', path: '/projects/7', status: 403, mayHaveBeenApplied: false },
  target: { name: 'projects.get', method: 'GET', errors: {}, means: {} },
})

describe('an event of an issue', () => {
  test('enqueues the issue where a rule is for issues, and never the merge request of its number', async () => {
    const intake = intakeWith(`rules:\n${forIssues}${forMergeRequests}`)
    const { record } = await intake.take(issue())
    expect(record).toMatchObject({ state: 'read', mergeRequests: [{ project: 7, iid: -2 }] })
    await intake.take(note())
    expect(await enqueued(intake)).toEqual([-2])
    const pending = (iid: number) => stores.journal.events.pending({ project: 7, iid })
    expect((await pending(-2)).map(({ event }) => event.kind)).toEqual(['issue.open', 'note.create'])
    expect(await pending(2)).toEqual([])
    await intake.take(opened)
    expect(await enqueued(intake)).toEqual([-2, 2])
    expect(await pending(-2)).toHaveLength(2)
  })

  test('that no rule can name is one of its state rules too', async () => {
    const intake = intakeWith(`rules:\n${forIssues}`)
    await intake.take(issue({ action: 'archived' }))
    expect(await enqueued(intake)).toEqual([-2])
  })

  test.each([
    ['no rule is for issues', `rules:\n${forMergeRequests}`, 'no rule is for issues'],
    ['such a rule is turned off', `rules:\n${offForIssues}`, 'no rule is for issues'],
    ['the only rule waits for another event', onClose, 'No rule waits for it'],
  ])('enqueues nothing where %s', async (_why, text, reason) => {
    const intake = intakeWith(text)
    for (const payload of [issue(), issue({ action: 'destroyed' }), note(), { ...note(), object_kind: 'emoji' }]) {
      const { record } = await intake.take(payload)
      expect(record).toMatchObject({ state: 'no_merge_request' })
    }
    expect((await intake.take(issue())).record?.reason).toContain(reason)
    expect(await enqueued(intake)).toEqual([])
  })

  test('enqueues nothing either when the service repeats the delivery', async () => {
    const intake = intakeWith(`rules:\n${forMergeRequests}`)
    const { id } = await intake.take(issue())
    await intake.again(id, 'duplicate')
    expect(await enqueued(intake)).toEqual([])
  })

  test('also enqueues the project where a rule of the project waits for it', async () => {
    const tell = '  - name: tell\n    on: issue.open\n    then: { notify: { to: team, text: Hello } }\n'
    const intake = intakeWith(`rules:\n${tell}${forIssues}`)
    await intake.take(issue())
    expect(await enqueued(intake)).toEqual([-2, 0])
  })

  test('enqueues nothing where the rules may not be read', async () => {
    const intake = makeIntake({ ruleFiles: { ...rulesOfVersion(''), inForce: () => Promise.reject(refused) } })
    expect((await intake.take(issue())).record).toMatchObject({ state: 'no_merge_request' })
    expect(await enqueued(intake)).toEqual([])
  })

  test('leaves the time figures of the merge request with its number alone', async () => {
    const intake = intakeWith(`rules:\n${forIssues}`)
    await intake.take(note())
    await intake.take({ ...note(), object_kind: 'merge_request', object_attributes: { iid: 2, action: 'merge' } })
    const range = { since: new Date('2026-11-01T00:00:00Z'), until: new Date('2026-12-01T00:00:00Z') }
    const times = await stores.journal.mergeRequests.times({ project: 7, ...range }, 10)
    expect(times).toMatchObject([{ mergeRequest: { iid: 2 }, times: { reviews: [] } }])
  })
})

describe('of a confidential issue', () => {
  const secret = 'the vault is open'
  const texts = { title: secret, description: secret }
  const url = 'https://code.example/hotel/app/-/issues/2'
  const confidential: [string, object][] = [
    ['the event', issue({ confidential: true, url, ...texts }, { event_type: 'confidential_issue' })],
    [
      'a note',
      note({
        object_attributes: { id: 31, note: secret, noteable_type: 'Issue' },
        issue: { iid: 2, confidential: true, url, ...texts },
      }),
    ],
  ]

  test.each(confidential)(
    '%s leaves no text in the journal, the queue and the log, and can be replayed',
    async (_what, payload) => {
      const lines: string[] = []
      const intake = intakeWith(`rules:\n${onClose.slice(7)}`, {
        log: pino({ level: 'debug' }, { write: (line: string) => lines.push(line) }),
      })
      const { id, record, outcome } = await intake.take(payload)
      expect(record).toMatchObject({ state: 'no_merge_request' })
      await intake.again(id)
      const ref = { project: 7, iid: -2 }
      const left = [
        await stores.journal.deliveries.body(id),
        await stores.journal.deliveries.find(id),
        outcome,
        await stores.journal.mergeRequests.names([ref]),
      ]
      expect(await stores.journal.deliveries.body(id)).toContain('"iid":2')
      expect(JSON.stringify([left, lines])).not.toContain('vault')
      expect(await stores.journal.deliveries.find(id)).toMatchObject({ mergeRequests: [ref] })
    },
  )

  test('an event that is read only at a second attempt leaves none either', async () => {
    const intake = intakeWith(`rules:\n${forIssues}`)
    const { id } = await intake.take(issue({ confidential: true, ...texts }), undefined, { isFirst: false })
    expect(await stores.journal.deliveries.body(id)).not.toContain('vault')
  })

  test('a body that cannot be read leaves none either', async () => {
    const intake = intakeWith(`rules:\n${forIssues}`)
    const { id } = await intake.take(`{"object_kind":"issue","title":"${secret}`, undefined, {
      header: 'Confidential Issue Hook',
    })
    expect((await stores.journal.deliveries.find(id))?.state).toBe('unreadable')
    expect((await stores.journal.deliveries.body(id)) ?? '').not.toContain('vault')
  })

  test('an internal note does not replace the title of an issue that everybody may read', async () => {
    const intake = intakeWith(`rules:\n${forIssues}`)
    const ref = { project: 7, iid: -2 }
    const page = 'https://code.example/hotel/app/-/issues/2'
    await intake.take(issue({ url: page }))
    await intake.take(
      note({ event_type: 'confidential_note', issue: { iid: 2, confidential: false, title: 'A door', url: page } }),
    )
    expect((await stores.journal.mergeRequests.names([ref]))[0]).toMatchObject({ title: 'A door' })
  })

  test.each([['an update', issue({ action: 'update', confidential: true, url })] as [string, object], ...confidential])(
    'an earlier title is replaced by %s, whether or not the rules and the issue can be read',
    async (_what, payload) => {
      for (const ruleFiles of [undefined, { ...rulesOfVersion(''), inForce: () => Promise.reject(refused) }]) {
        const intake = intakeWith(`rules:\n${forIssues}`)
        const ref = { project: 7, iid: -2 }
        await intake.take(issue({ url }))
        expect(await stores.journal.mergeRequests.names([ref])).toMatchObject([{ title: 'A door' }])
        const later = ruleFiles === undefined ? intake : makeIntake({ ruleFiles, renew: false })
        await later.take(payload)
        expect(await stores.journal.mergeRequests.names([ref])).toMatchObject([{ title: 'a confidential issue' }])
      }
    },
  )

  describe('while its job waits to be tried again, and after it failed', () => {
    const away = { ...rulesOfVersion(''), inForce: () => Promise.reject(new Error('the rules are away')) }

    /** A delivery whose job fails for good at its second attempt, and the data of each attempt. */
    async function failedFor(payload: unknown, header = 'Issue Hook') {
      const intake = makeIntake({ ruleFiles: away })
      const attempts: unknown[] = []
      const handler: JobHandler<DeliveryJob> = async (job) => {
        attempts.push(job.data)
        return intake.handle(job)
      }
      const options = { concurrency: 1, attempts: 2, backoffMs: 1, onError: () => undefined }
      const worker = stores.queue.work(intake.deliveries.name, handler, options)
      const id = `d-${randomUUID()}`
      const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
      await intake.deliveries.add({ id, data: { is: 'delivery', receivedAt: AT, header, body } })
      await intake.deliveries.settled()
      await worker.stop(1_000)
      return { id, attempts, job: await intake.deliveries.get(id), intake }
    }

    test.each(confidential)('%s leaves no text in the queue, and can be retried', async (_what, payload) => {
      const { id, attempts, job, intake } = await failedFor(payload)
      expect(job).toMatchObject({ state: 'failed', data: { body: '', read: { summary: { event: { iid: -2 } } } } })
      expect(JSON.stringify(attempts[0])).toContain('vault')
      expect(JSON.stringify([attempts.slice(1), job, await stores.journal.deliveries.body(id)])).not.toContain('vault')
      expect(await stores.journal.deliveries.body(id)).toContain('"iid":2')
      await intake.deliveries.retry(id)
      const { handle, mergeRequests } = intakeWith(`rules:\n${forIssues}`)
      const worker = stores.queue.work(intake.deliveries.name, handle, { concurrency: 1, onError: () => undefined })
      await intake.deliveries.settled()
      await worker.stop(1_000)
      const enqueuedJobs = await mergeRequests.list(['waiting', 'prioritized'], 0, 10)
      expect(enqueuedJobs.map(({ data }) => data.iid)).toEqual([-2])
    })

    test('any other delivery keeps its body', async () => {
      const payload = issue({ description: 'It sticks' })
      const { job } = await failedFor(payload)
      expect(job).toMatchObject({ state: 'failed', data: { body: JSON.stringify(payload) } })
    })
  })
})
