// Intake of what cannot be read, or is nobody’s: it is recorded with a reason.
import { describe, expect, test } from 'vitest'
import { playService, service } from '../../client/world.ts'
import { useStores } from '../stores.ts'
import { green, intakesOn, pushed } from './intake-world.ts'

const stores = useStores()
playService()
const makeIntake = intakesOn(stores)

describe('what cannot be read, or is nobody’s', () => {
  test('a body that could not be received is recorded with the reason', async () => {
    const { outcome, record } = await makeIntake().take('', undefined, {
      unreadable: 'The body unpacks to more than 25 MB.',
    })
    expect(outcome).toMatchObject({ outcome: 'done' })
    expect(record).toMatchObject({ state: 'unreadable', reason: 'The body unpacks to more than 25 MB.' })
  })

  test('a project that the bot may not see is of no interest, with the service’s words', async () => {
    const intake = makeIntake()
    service().get('/projects/7').reply(404, { message: '404 Project Not Found' })
    const { outcome, record } = await intake.take(pushed)
    expect(outcome).toMatchObject({ outcome: 'done' })
    expect(record).toMatchObject({
      state: 'no_merge_request',
      reason: expect.stringContaining('404 Project Not Found'),
    })
  })

  test.each([
    ['no JSON', 'nonsense', 'unreadable'],
    ['no object', '[]', 'unreadable'],
    ['no kind', '{"a":1}', 'unreadable'],
    ['an unknown kind', '{"object_kind":"moonrise"}', 'no_merge_request'],
    [
      'a branch that no request can name',
      JSON.stringify({ ...green, object_attributes: { ref: 'a\ud800' } }),
      'no_merge_request',
    ],
  ])('%s is recorded with a reason, and the job is done', async (_name, body, state) => {
    const { outcome, record } = await makeIntake().take(body)
    expect(outcome).toMatchObject({ outcome: 'done' })
    expect(record).toMatchObject({ state, reason: expect.stringMatching(/\.$|not called/) })
  })

  test('a branch of any length is remembered', async () => {
    const intake = makeIntake()
    const name = 'x'.repeat(100_000)
    service().get('/projects/7').reply(200, { id: 7, default_branch: 'main' })
    service().get('/projects/7/merge_requests').query(true).reply(414)
    const { outcome } = await intake.take({ ...pushed, ref: `refs/heads/${name}` })
    expect(outcome).toMatchObject({ outcome: 'done' })
    expect(await stores.journal.pushes({ service: intake.service, project: 7, branch: name })).toHaveLength(1)
  })

  test('a service that is away is for the job to decide, and nothing is lost', async () => {
    const intake = makeIntake()
    service().get('/projects/7/merge_requests').query(true).times(4).reply(503)
    await expect(intake.take(green, 'away')).rejects.toMatchObject({ kind: 'failing', status: 503 })
    expect(await stores.journal.delivery('away')).toMatchObject({ state: 'received' })
  })
})
