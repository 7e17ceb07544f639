// Names in the admin API: what responses add, and which names and shortened ids parameters take.
import { useStores } from '../../bot/stores.ts'
import { saveNamed } from '../../cli/hotel-app.ts'
import { decision, ruleFile } from '../../suites/journal/records.ts'
import { useAdmin } from '../serve-admin.ts'

const stores = useStores({ own: true })
const admin = useAdmin(() => ({ journal: stores.journal }))
const at = '2026-11-21T10:00:00.000Z'
const home = 'https://git.example.com/hotel'

const savePath = (projectPath: string) =>
  stores.journal.ruleFiles.save(7, [
    { ...ruleFile(ref(1)), projectPath, projectUrl: `https://git.example.com/${projectPath}` },
  ])
const saveDelivery = (id: string, iid: number, url: string) =>
  saveNamed(stores.journal, { id, kind: 'merge_request.update', of: ref(iid), at, title: 'Bump left-pad', url })
const first = async (query: string) => {
  const { body } = await admin.ask(`/deliveries?${query}`)
  return (body as { items: { mergeRequests: unknown[] }[] }).items[0]?.mergeRequests[0]
}
const ref = (iid: number) => ({ project: 7, iid })

beforeAll(async () => {
  await savePath('hotel/app')
  await saveDelivery('4f1c7d01-a', 12, `${home}/app/-/merge_requests/12`)
  await saveDelivery('4f1c7d02-b', 13, 'https://evil.example.net/hotel/app/-/merge_requests/13')
})

test.each(['project=7&iid=12', 'project=hotel/app&iid=12', 'project=Hotel/App!12'])(
  'the merge request of %s has its path, title and page',
  async (query) => {
    expect(await first(query)).toEqual({
      ...ref(12),
      ...{ path: 'hotel/app', title: 'Bump left-pad', url: `${home}/app/-/merge_requests/12` },
    })
  },
)

test('a page outside the project is no link', async () => {
  expect(await first('project=7&iid=13')).toEqual({ ...ref(13), path: 'hotel/app', title: 'Bump left-pad' })
})

test.each(['/deliveries?project=hotel/other', '/projects/hotel%2Fapp!12', '/deliveries?project=hotel/app!12&iid=13'])(
  '%s is refused',
  async (path) => {
    expect((await admin.ask(path)).status).toBe(400)
  },
)

describe('a shortened id', () => {
  test('names the only delivery that begins so', async () => {
    const body = { delivery: { id: '4f1c7d01-a' } }
    expect(await admin.ask('/deliveries/4f1c7d01')).toMatchObject({ status: 200, body })
  })

  test('is refused with the candidates if several begin so', async () => {
    const { status, body } = await admin.ask('/deliveries/4f1c7d')
    expect([status, body]).toEqual([400, { error: expect.stringMatching(/4f1c7d0[12]-[ab], 4f1c7d0[12]-[ab]/) }])
  })

  test('is unknown if none does', async () => {
    expect((await admin.ask('/deliveries/4f1c7d03')).status).toBe(404)
  })
})

describe('the shortened id of an evaluation', () => {
  beforeAll(async () => {
    for (const [id, evaluation] of [
      ['e-1', '899c5194-a'],
      ['e-2', '899c5194-a'],
      ['e-3', '899c5195-b'],
    ] as const)
      await stores.journal.decisions.save({ ...decision(ref(14), at, id), evaluation })
  })
  const idsOf = async (evaluation: string) => {
    const { status, body } = await admin.ask(`/decisions?evaluation=${evaluation}`)
    return [status, (body as { items?: { id: string }[] }).items?.map(({ id }) => id).sort()]
  }

  test('names all decisions of the only evaluation that begins so', async () => {
    expect(await idsOf('899c5194')).toEqual([200, ['e-1', 'e-2']])
    expect(await idsOf('899c5195-b')).toEqual([200, ['e-3']])
    expect(await idsOf('899c5196')).toEqual([200, []])
  })

  test('is refused with the candidates if several begin so', async () => {
    const body = { error: expect.stringMatching(/899c519(4-a|5-b), 899c519(4-a|5-b)\./) }
    expect(await admin.ask('/decisions?evaluation=899c51')).toMatchObject({ status: 400, body })
  })
})

test('a renamed project has its latest path, and is found by both', async () => {
  await savePath('hotel/renamed')
  for (const path of ['hotel/app', 'hotel/renamed'])
    expect(await first(`project=${path}&iid=13`), path).toMatchObject({ ...ref(13), path: 'hotel/renamed' })
})
