// What intake writes of a delivery: what is read at once is written once, with its body; anything else is known to have come.
import { describe, expect, test } from 'vitest'
import type { Journal } from '../../../src/journal/types.ts'
import { playService, service } from '../../client/world.ts'
import { useStores } from '../stores.ts'
import { enqueued, green, intakesOn, opened } from './intake-world.ts'

const stores = useStores()
playService()

/** An intake, with what it writes in order: of deliveries the state, and whether the body came with it; and mail. */
function makeIntake(failing: { post?: Error; save?: Error } = {}) {
  const said: string[] = []
  const { journal } = stores
  const telling: Journal = {
    ...journal,
    async saveDelivery(delivery, body) {
      if (failing.save !== undefined) throw failing.save
      await journal.saveDelivery(delivery, body)
      said.push(body === undefined ? delivery.state : `${delivery.state} with its body`)
    },
    async addPendingEvent(...mail) {
      if (failing.post !== undefined) throw failing.post
      said.push('mail')
      return journal.addPendingEvent(...mail)
    },
  }
  return { ...intakesOn({ queue: stores.queue, journal: telling })(), said, failing }
}

describe('of a delivery is written', () => {
  test('what came of it, once and with its body, where its first run reads it to the end; before anybody is enqueued, whose decision names it', async () => {
    const { take, said } = makeIntake()
    const { id, record } = await take(opened)
    expect(said).toEqual(['read with its body', 'mail'])
    expect(record?.state).toBe('read')
    expect(await stores.journal.body(id)).toBe(JSON.stringify(opened))
    expect((await take('[]')).record?.state).toBe('unreadable')
    expect((await take('{"object_kind":"moonrise"}')).record?.state).toBe('no_merge_request')
    expect((await take(opened, undefined, { boundTo: 8 })).record?.state).toBe('refused')
    expect(said.slice(2)).toEqual([
      'unreadable with its body',
      'no_merge_request with its body',
      'refused with its body',
    ])
  })

  test('that it came, with its body, where the first run could not read it', async () => {
    const { take, said } = makeIntake()
    service().get('/projects/7/merge_requests').query(true).times(4).reply(503)
    await expect(take(green, 'away-once')).rejects.toMatchObject({ status: 503 })
    expect(said).toEqual(['received with its body'])
    expect(await stores.journal.body('away-once')).toBe(JSON.stringify(green))
  })

  test('that it came, before all else, by every later run; its body is kept from the first time on', async () => {
    const { take, said } = makeIntake()
    await take(opened, undefined, { isFirst: false })
    expect(said).toEqual(['received with its body', 'read', 'mail'])
  })

  test('nothing in place of what became of it: the run after one that was broken off before anybody was enqueued wakes them', async () => {
    const { take, said, failing, ...queues } = makeIntake({ post: new Error('the store is away') })
    await expect(take(opened, 'broken-off')).rejects.toThrow('the store is away')
    expect(said).toEqual(['read with its body', 'received with its body'])
    expect(await enqueued(queues)).toEqual([])
    delete failing.post
    await take(opened, 'broken-off', { isFirst: false })
    expect(await enqueued(queues)).toEqual([2])
    const mail = await stores.journal.pendingEvents({ service: queues.service, project: 7, iid: 2 })
    expect(mail.map(({ deliveryId }) => deliveryId)).toEqual(['broken-off'])
    expect((await stores.journal.delivery('broken-off'))?.state).toBe('read')
  })

  test('what the service said is what the job hears, also where the journal cannot note that it came', async () => {
    const { take } = makeIntake({ save: new Error('the store is away') })
    service().get('/projects/7/merge_requests').query(true).times(4).reply(503)
    await expect(take(green, 'both-away')).rejects.toMatchObject({ status: 503 })
  })
})
