// The secret of each project's hook: the same for ever, and of no use for another.
import { projectSecrets } from '../../../src/bot/webhook/hook-secrets.ts'

const KEY = 'a-master-key-of-thirty-two-characters'

describe('the secrets of a project', () => {
  test('never change: hooks that are registered stay valid', () => {
    // As openssl derives it: kdf -keylen 32 -kdfopt digest:SHA256 -kdfopt key:KEY
    // -kdfopt "info:bellhop hook token of project 7" HKDF.
    expect(projectSecrets([KEY], 7)).toMatchInlineSnapshot(`
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
      [KEY, `${KEY}.`].flatMap((key) => {
        const { tokens, signing } = projectSecrets([key], project)
        return [...tokens, Buffer.from(signing[0]?.slice('whsec_'.length) ?? '', 'base64').toString('base64url')]
      }),
    )
    expect(new Set(all).size).toBe(16)
  })

  test('are those of each master key, newest first, and none without one', () => {
    const both = projectSecrets([KEY, `${KEY}.`], 7)
    expect(both.tokens).toEqual([...projectSecrets([KEY], 7).tokens, ...projectSecrets([`${KEY}.`], 7).tokens])
    expect(projectSecrets([], 7)).toEqual({ tokens: [], signing: [] })
  })
})
