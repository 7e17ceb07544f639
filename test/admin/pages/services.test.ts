// The dashboard for several hosting services: a form acts on the service of its page only.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { useStores } from '../../bot/stores.ts'
import { type ServedAdmin, TOKEN } from '../serve-admin.ts'
import { serveTwoServices } from '../two-services.ts'
import { logIn, type Shown, type Visitor } from './visitor.ts'

const stores = useStores({ own: true })
const replayed: string[] = []
const replaying = (service: string) => ({
  delivery: async (id: string) => {
    replayed.push(`${service} ${id}`)
    return { is: 'replayed' as const, number: 1 }
  },
  decision: async () => ({ is: 'unknown' as const }),
})
let admin: ServedAdmin
let visitor: Visitor
beforeAll(async () => {
  admin = await serveTwoServices(stores.journal, {
    one: { replay: replaying('one') },
    two: { replay: replaying('two') },
  })
})
afterAll(() => {
  admin.server.close()
})
beforeEach(async () => {
  replayed.length = 0
  visitor = await logIn(admin, TOKEN)
})

const chosenOn = ({ html }: Shown) => /aria-current="true"[^>]*>([^<]+)</.exec(html)?.[1]
/** What the page's form of that address would send. */
const fieldsOf = ({ html }: Shown, action: string) => {
  const form =
    html.split('<form').find((each) => each.includes(`action="${action}"`) && !each.includes('dry_run')) ?? ''
  return Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )
}
const replay = '/deliveries/of-one/replay'
/** The form as it stands on the page of the first service. */
const formOfOne = async () => fieldsOf(await visitor.get('/deliveries/of-one?service=one'), `/admin${replay}`)

test('the last shown service is kept; an unknown one is ignored', async () => {
  expect(chosenOn(await visitor.get('/deliveries'))).toBe('one')
  expect(chosenOn(await visitor.get('/deliveries?service=two'))).toBe('two')
  const page = await visitor.get('/deliveries')
  expect([chosenOn(page), page.html.includes('of-two'), page.html.includes('of-one')]).toEqual(['two', true, false])
  expect(chosenOn(await visitor.get('/deliveries?service=three'))).toBe('two')
  expect(chosenOn(await visitor.get('/deliveries', { cookie: `bellhop_service=three; ${visitor.cookie}` }))).toBe('one')
})

test('a form acts on the service of its page, whichever was shown since, and leads back to it', async () => {
  const fields = await formOfOne()
  expect(fields).toMatchObject({ service: 'one' })
  expect(chosenOn(await visitor.get('/deliveries?service=two'))).toBe('two')
  const { status, headers } = await visitor.post(replay, fields)
  expect([status, headers.get('location'), replayed]).toEqual([
    303,
    expect.stringContaining('service=one'),
    ['one of-one'],
  ])
})

test('a form without a known service does nothing', async () => {
  const { service: _, ...without } = await formOfOne()
  for (const fields of [without, { ...without, service: '' }, { ...without, service: 'three' }]) {
    const { status, html } = await visitor.post(replay, fields)
    expect([status, html.includes('one, two')]).toEqual([400, true])
  }
  expect(replayed).toEqual([])
})

test('every form of a page carries its service', async () => {
  for (const path of ['/', '/deliveries', '/deliveries/of-two', '/audit']) {
    const { html } = await visitor.get(`${path}?service=two`)
    const forms = html
      .split('<form')
      .slice(1)
      .filter((each) => each.includes('method="post"'))
    expect(forms.length, path).toBeGreaterThan(0)
    for (const each of forms) expect(each.split('</form>')[0], path).toContain('name="service" value="two"')
  }
})
