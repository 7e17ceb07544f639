// Who may send deliveries: tokens and signatures, and that every doubt is a no.
import { describe, expect, test } from 'vitest'
import { type HookSecrets, isAuthentic, mayBeAuthentic } from '../../../src/bot/webhook/hook-secrets.ts'
import { signedBy, signingKey } from '../stores.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const SECONDS = NOW / 1000
const BODY = '{"object_kind":"push"}'
const KEY = signingKey()

type Headers = Record<string, string | string[] | undefined>

function asks(headers: Headers, secrets: Partial<HookSecrets>, body = BODY): boolean {
  return isAuthentic({ headers, body: Buffer.from(body), now: NOW }, { tokens: [], signing: [], ...secrets })
}

const signed = (changes: { id?: string; timestamp?: number | string; body?: string; key?: string } = {}) =>
  signedBy(changes.key ?? KEY, {
    id: changes.id ?? 'msg-1',
    timestamp: changes.timestamp ?? SECONDS,
    body: changes.body ?? BODY,
  })

const long = 'x'.repeat(1_000_000)
const rotated = ['new', 'old']

describe('a token', () => {
  test.each<[string | undefined, string[], boolean]>([
    ['right', ['right'], true],
    ...['wrong', '', 'righ', 'rightt', 'Right', ' right', undefined].map(
      (token): [string | undefined, string[], boolean] => [token, ['right'], false],
    ),
    // Rotation.
    ['new', rotated, true],
    ['old', rotated, true],
    ['older', rotated, false],
    ['new,old', rotated, false],
    [undefined, [], false],
    ['', [], false],
    [long, ['short'], false],
    [long, [long], true],
    ['\ud800', ['short'], false],
    ['ключ', ['ключ'], true],
    // UTF-8, as Node reads it.
    [Buffer.from('schlüssel-鍵').toString('latin1'), ['schlüssel-鍵'], true],
    [Buffer.from('schlüssel-鍵').toString('latin1'), ['schlussel-鍵'], false],
  ])('%.20s among %.30s: %s', (token, tokens, expected) => {
    expect(asks({ 'x-gitlab-token': token }, { tokens })).toBe(expected)
  })

  test('no sender is authentic where no secret is configured', () => {
    expect(asks(signed(), {})).toBe(false)
  })
})

describe('a signature', () => {
  test('lets in when key, id, time and body are right', () => {
    expect(asks(signed(), { signing: [KEY] })).toBe(true)
  })

  test('is refused when anything that it covers was changed', () => {
    const signing = [KEY]
    expect(asks(signed(), { signing }, `${BODY} `)).toBe(false)
    expect(asks({ ...signed(), 'webhook-id': 'msg-2' }, { signing })).toBe(false)
    expect(asks({ ...signed(), 'webhook-timestamp': String(SECONDS + 1) }, { signing })).toBe(false)
    expect(asks(signed({ key: signingKey() }), { signing })).toBe(false)
  })

  test('must be right when it is there, a token cannot replace it', () => {
    const secrets = { tokens: ['right'], signing: [KEY] }
    const token = { 'x-gitlab-token': 'right' }
    expect(asks({ ...token, 'webhook-signature': 'v1,AAAA' }, secrets)).toBe(false)
    expect(asks({ ...token, 'webhook-signature': '' }, secrets)).toBe(false)
    expect(asks({ ...token, ...signed({ key: signingKey() }) }, secrets)).toBe(false)
    expect(asks({ ...token, ...signed() }, secrets)).toBe(true)
  })

  test('cannot be left out where no token is configured, and can where one is', () => {
    expect(asks({ 'x-gitlab-token': KEY }, { signing: [KEY] })).toBe(false)
    expect(asks({}, { signing: [KEY] })).toBe(false)
    expect(asks({ 'x-gitlab-token': 'right' }, { tokens: ['right'], signing: [KEY] })).toBe(true)
  })

  test('of an older or newer time than the window is refused, either way', () => {
    const at = (offset: number) => asks(signed({ timestamp: SECONDS + offset }), { signing: [KEY] })
    expect([at(-300), at(300)]).toEqual([true, true])
    expect([at(-301), at(301)]).toEqual([false, false])
  })

  test('without a time or an id, or with a time that is no number, is refused', () => {
    const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = signed()
    const signing = [KEY]
    expect(asks({ 'webhook-timestamp': time, 'webhook-signature': signature }, { signing })).toBe(false)
    expect(asks({ 'webhook-id': id, 'webhook-signature': signature }, { signing })).toBe(false)
    for (const odd of ['', 'NaN', '1e9', '-1', ` ${SECONDS}`, '9'.repeat(400)])
      expect(asks(signed({ timestamp: odd }), { signing })).toBe(false)
  })

  test('that no body can make right is known before the body', () => {
    const may = (change: Headers) => mayBeAuthentic({ headers: { ...signed(), ...change }, now: NOW })
    expect(may({})).toBe(true)
    expect(may({ 'webhook-signature': `v2,x ${signed()['webhook-signature']}` })).toBe(true)
    for (const odd of [
      undefined,
      '',
      'v1,',
      'v1,AAAA',
      `v2,${'A'.repeat(43)}=`,
      `v1,${'A'.repeat(42)}==`,
      `v1,${'*'.repeat(43)}=`,
    ])
      expect(may({ 'webhook-signature': odd }), odd).toBe(false)
    for (const time of [undefined, 'x', String(SECONDS - 301), String(SECONDS + 301)])
      expect(may({ 'webhook-timestamp': time })).toBe(false)
    expect(may({ 'webhook-id': undefined })).toBe(false)
  })

  test('two keys are valid during rotation', () => {
    const old = signingKey()
    expect(asks(signed({ key: old }), { signing: [KEY, old] })).toBe(true)
    expect(asks(signed({ key: KEY }), { signing: [KEY, old] })).toBe(true)
  })

  test('is found among others of its list, and versions that are not known are passed over', () => {
    const { 'webhook-signature': right, ...rest } = signed()
    const with_ = (signature: string) => asks({ ...rest, 'webhook-signature': signature }, { signing: [KEY] })
    expect(with_(`v2,AAAA v1,BBBB ${right}`)).toBe(true)
    expect(with_(right.replace('v1,', 'v2,'))).toBe(false)
    expect(with_(right.slice('v1,'.length))).toBe(false)
    expect(with_(`${'v1,AAAA '.repeat(100_000)}${right}`)).toBe(false)
  })

  test('covers the raw bytes, also where they are no text', () => {
    const body = Buffer.from([0xff, 0x00, 0xfe, 0x80])
    const headers = signedBy(KEY, { id: 'm', timestamp: SECONDS, body: '' })
    expect(isAuthentic({ headers, body, now: NOW }, { tokens: [], signing: [KEY] })).toBe(false)
    expect(isAuthentic({ headers, body: Buffer.alloc(0), now: NOW }, { tokens: [], signing: [KEY] })).toBe(true)
  })
})
