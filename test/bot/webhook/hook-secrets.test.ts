// Who may send deliveries: tokens and signatures, and that every doubt is a no.
import { type HookSecrets, isAuthentic, mayBeAuthentic, projectSecrets } from '../../../src/bot/webhook/hook-secrets.ts'
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
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = signed()
  const [old, other] = [signingKey(), signingKey()]
  const ofKey = { signing: [KEY] }
  const both = { tokens: ['right'], signing: [KEY] }
  const token = { 'x-gitlab-token': 'right' }
  const at = (offset: number) => signed({ timestamp: SECONDS + offset })
  const signedAs = (value: string) => ({ ...signed(), 'webhook-signature': value })

  test.each<[string, Headers, Partial<HookSecrets>, boolean]>([
    ['is right', signed(), ofKey, true],
    ['is of a key before the rotation', signed({ key: old }), { signing: [KEY, old] }, true],
    ['is of another key', signed({ key: other }), ofKey, false],
    ['is of another body', signed({ body: `${BODY} ` }), ofKey, false],
    ['is of another id', { ...signed(), 'webhook-id': 'msg-2' }, ofKey, false],
    ['is of another time', { ...signed(), 'webhook-timestamp': String(SECONDS + 1) }, ofKey, false],
    ['has no id', { 'webhook-timestamp': time, 'webhook-signature': signature }, ofKey, false],
    ['has no time', { 'webhook-id': id, 'webhook-signature': signature }, ofKey, false],
    ...['', 'NaN', '1e9', '-1', ` ${SECONDS}`, '9'.repeat(400)].map(
      (timestamp): [string, Headers, Partial<HookSecrets>, boolean] => [
        `has a time that is no number (${timestamp})`,
        signed({ timestamp }),
        ofKey,
        false,
      ],
    ),
    ...[-301, -300, 300, 301].map((offset): [string, Headers, Partial<HookSecrets>, boolean] => [
      `is ${offset} s from now`,
      at(offset),
      ofKey,
      Math.abs(offset) <= 300,
    ]),
    ['is wrong, and the token right', { ...token, ...signed({ key: other }) }, both, false],
    ['is none, and the token right', { ...token, 'webhook-signature': '' }, both, false],
    ['is right, as the token', { ...token, ...signed() }, both, true],
    ['is left out where a token is configured', token, both, true],
    ['is left out where no token is configured', { 'x-gitlab-token': KEY }, ofKey, false],
    ['is left out with the token', {}, ofKey, false],
    ['is one of a list', signedAs(`v2,AAAA v1,BBBB ${signature}`), ofKey, true],
    ['is the last of a very long list', signedAs(`${'v1,AAAA '.repeat(100_000)}${signature}`), ofKey, false],
    ['is of an unknown version', signedAs(signature.replace('v1,', 'v2,')), ofKey, false],
    ['has no version', signedAs(signature.slice('v1,'.length)), ofKey, false],
  ])('that %s', (_what, headers, secrets, expected) => {
    expect(asks(headers, secrets)).toBe(expected)
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

  test('covers the raw bytes, also where they are no text', () => {
    const body = Buffer.from([0xff, 0x00, 0xfe, 0x80])
    const headers = signedBy(KEY, { id: 'm', timestamp: SECONDS, body: '' })
    expect(isAuthentic({ headers, body, now: NOW }, { tokens: [], signing: [KEY] })).toBe(false)
    expect(isAuthentic({ headers, body: Buffer.alloc(0), now: NOW }, { tokens: [], signing: [KEY] })).toBe(true)
  })
})

const MASTER = 'a-master-key-of-thirty-two-characters'

describe('the secrets of a project', () => {
  test('never change: hooks that are registered stay valid', () => {
    // As openssl derives it: kdf -keylen 32 -kdfopt digest:SHA256 -kdfopt key:KEY
    // -kdfopt "info:bellhop hook token of project 7" HKDF.
    expect(projectSecrets([MASTER], 7)).toMatchInlineSnapshot(`
      {
        "signing": [
          "whsec_2iBXchouFJU7msQu/bCwjiGrEBD5Wh0VJFjGsgQHmUM=",
        ],
        "tokens": [
          "TGJzVT3ttKCCEdkZW9dJFSidtIO8MSBXh0Ws6FJioN0",
        ],
      }
    `)
  })

  test('differ from project to project, key to key, and from each other', () => {
    const all = [1, 7, 17, 71].flatMap((project) =>
      [MASTER, `${MASTER}.`].flatMap((key) => {
        const { tokens, signing } = projectSecrets([key], project)
        return [...tokens, Buffer.from(signing[0]?.slice('whsec_'.length) ?? '', 'base64').toString('base64url')]
      }),
    )
    expect(new Set(all).size).toBe(16)
  })

  test('are those of each master key, newest first, and none without one', () => {
    const both = projectSecrets([MASTER, `${MASTER}.`], 7)
    expect(both.tokens).toEqual([...projectSecrets([MASTER], 7).tokens, ...projectSecrets([`${MASTER}.`], 7).tokens])
    expect(projectSecrets([], 7)).toEqual({ tokens: [], signing: [] })
  })
})
