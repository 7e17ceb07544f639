// Notifications are posted to the operator's URL over real HTTP: signed, and once whatever the receiver does.
import { hookSignature } from '../../src/api/hooks.ts'
import { createPostNotification } from '../../src/client/post-notification.ts'
import { type NoticeReceiver, secretOfAddress, startNoticeReceiver, well } from '../notice-receiver.ts'

const signing = ['new', 'old'].map((name) => `whsec_${Buffer.from(name.padEnd(32, '.')).toString('base64')}`)
let receiver: NoticeReceiver
beforeAll(async () => {
  receiver = await startNoticeReceiver()
})
afterAll(() => receiver.close())
beforeEach(() => {
  receiver.answer = well
})

const post = (given: { signing?: string[]; timeoutMs?: number; url?: string } = {}) =>
  createPostNotification({ url: receiver.url, signing: [], ...given })('an-id', '{"text":"grün"}')

test('a notification is JSON with its id and a signature of each secret', async () => {
  await post({ signing })
  const { headers, body } = receiver.taken.at(-1) ?? { headers: {}, body: '' }
  expect(body).toBe('{"text":"grün"}')
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': 'an-id' })
  const timestamp = String(headers['webhook-timestamp'])
  expect(Math.abs(Date.now() / 1000 - Number(timestamp))).toBeLessThan(60)
  expect(headers['webhook-signature']).toBe(
    signing.map((key) => hookSignature(key, { id: 'an-id', timestamp, body })).join(' '),
  )
})

test('without a secret it is not signed', async () => {
  await post()
  expect(receiver.taken.at(-1)?.headers).not.toHaveProperty('webhook-signature')
})

test.each<[string, NoticeReceiver['answer'], RegExp]>([
  ['500', (response) => response.writeHead(500).end('x'.repeat(1_000_000)), /answered 500$/],
  [
    'a redirect, which is not followed',
    (response) => response.writeHead(307, { location: receiver.url }).end(),
    /307, a redirect/,
  ],
  ['nothing', () => undefined, /no answer within 200 ms/],
  ['a connection that breaks', (response) => response.destroy(), /cannot be reached \(/],
])('an answer of %s is an error that does not name the address', async (_name, answer, said) => {
  receiver.answer = answer
  const before = receiver.asked()
  const error = await post({ timeoutMs: 200 }).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ name: 'NotificationError', message: expect.stringMatching(said) })
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(secretOfAddress)
  expect(receiver.asked()).toBe(before + 1)
})

test('an address without a server is an error', async () => {
  const gone = await startNoticeReceiver()
  await gone.close()
  await expect(post({ url: gone.url })).rejects.toThrow(
    /^the notification receiver cannot be reached \(ECONNREFUSED\)$/,
  )
})

test('the error of a receiver with a name says it, and when the receiver wants it again', async () => {
  receiver.answer = (response) => response.writeHead(429, { 'retry-after': '30' }).end()
  const named = createPostNotification({ url: receiver.url, name: 'the chat team', signing: [] })
  await expect(named('an-id', '{}')).rejects.toMatchObject({
    message: 'the chat team answered 429',
    retryAfterMs: 30_000,
  })
  receiver.answer = (response) => response.writeHead(500).end()
  await expect(named('an-id', '{}')).rejects.toMatchObject({ retryAfterMs: undefined })
})
